import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { AttemptResult } from '../model/verdict';

/** How long a listener is admitted after a proof; the command line proves itself again before. */
export const LISTENER_LEASE_MS = 60_000;
/** While a proof is awaited, only this long. */
const PROOF_MS = 5_000;
const CHALLENGE_BYTES = 32;
export const CHALLENGE_HEADER = 'x-service-listener-challenge';

/** A plain HTTP address of this machine, with a path that cannot be guessed. */
export const LISTENER_URL = /^http:\/\/127\.0\.0\.1:[1-9]\d{0,4}\/[0-9a-f]{64}$/;

type Send = (request: {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}) => Promise<AttemptResult>;

/**
 * Addresses on this machine that deliveries of test environments may go to, although private
 * addresses are refused: each belongs to a listener of the command line that has proved to hold a
 * key which the operator gave. Kept in memory: after a restart a listener proves itself again.
 */
export class LocalListeners {
  private readonly admittedUntilMs = new Map<string, number>();

  /** Told of each URL that was admitted; other processes of the service have to admit it too. */
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

  /** Asks what listens at the URL to sign a random text; admits it if the signature is right. */
  async prove(url: string, key: string, send: Send): Promise<boolean> {
    if (!LISTENER_URL.test(url)) return false;
    if (!this.admits(url)) this.admittedUntilMs.set(url, this.nowMs() + PROOF_MS);
    const challenge = randomBytes(CHALLENGE_BYTES).toString('hex');
    const { statusCode, body } = await send({
      url,
      headers: { [CHALLENGE_HEADER]: challenge },
      body: '{}',
    });
    if (statusCode === 200 && isSame(body, answerTo(challenge, key))) {
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

/** What a listener answers to a challenge: the hex HMAC-SHA256 of it under its key. */
export const answerTo = (challenge: string, key: string): string =>
  createHmac('sha256', key).update(challenge).digest('hex');

const isSame = (given: string, expected: string): boolean => {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
};
