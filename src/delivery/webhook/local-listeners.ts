import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { AttemptResult } from '../model/verdict';

/** Lease of a listener after a proof. The command line repeats the proof before it ends. */
export const LISTENER_LEASE_MS = 60_000;
/** Lease of a listener while its proof is awaited. */
const PROOF_TIMEOUT_MS = 5_000;
const CHALLENGE_BYTES = 32;
export const CHALLENGE_HEADER = 'x-service-listener-challenge';

/** URL of a listener: plain HTTP on this machine, with a path that cannot be guessed. */
export const LISTENER_URL = /^http:\/\/127\.0\.0\.1:[1-9]\d{0,4}\/[0-9a-f]{64}$/;

type Send = (request: {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}) => Promise<AttemptResult>;

/**
 * Addresses on this machine that deliveries of test environments may use although private addresses
 * are refused. Each belongs to a listener of the command line that has proved to hold a key given
 * by the operator. They are kept in memory: after a restart a listener proves itself again.
 */
export class LocalListeners {
  private readonly admittedUntilMs = new Map<string, number>();

  /**
   * Called with each URL that was admitted, because other processes of the service must admit it
   * too.
   */
  onAdmitted: (url: string) => Promise<unknown> = () => Promise.resolve();

  constructor(private readonly nowMs: () => number = () => performance.now()) {}

  /** True while a listener at exactly this URL has a lease. */
  admits(url: string): boolean {
    const until = this.admittedUntilMs.get(url);
    if (until === undefined) return false;
    if (this.nowMs() < until) return true;
    this.admittedUntilMs.delete(url);
    return false;
  }

  /**
   * Asks the listener at the URL to sign a random text, and admits it if the signature is right.
   */
  async verify(url: string, key: string, send: Send): Promise<boolean> {
    if (!LISTENER_URL.test(url)) return false;
    if (!this.admits(url)) this.admittedUntilMs.set(url, this.nowMs() + PROOF_TIMEOUT_MS);
    const challenge = randomBytes(CHALLENGE_BYTES).toString('hex');
    const { statusCode, body } = await send({
      url,
      headers: { [CHALLENGE_HEADER]: challenge },
      body: '{}',
    });
    if (statusCode === 200 && isSame(body, signChallenge(challenge, key))) {
      this.admit(url);
      await this.onAdmitted(url);
      return true;
    }
    this.admittedUntilMs.delete(url);
    return false;
  }

  /** Admits a URL that has been proved, here or in another process of the service. */
  admit(url: string): void {
    if (LISTENER_URL.test(url)) this.admittedUntilMs.set(url, this.nowMs() + LISTENER_LEASE_MS);
  }
}

/**
 * Returns the correct response to a challenge: the hex HMAC-SHA256 of it under the listener's key.
 */
export const signChallenge = (challenge: string, key: string): string =>
  createHmac('sha256', key).update(challenge).digest('hex');

const isSame = (given: string, expected: string): boolean => {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
};
