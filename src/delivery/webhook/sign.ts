import { createHmac } from 'node:crypto';

const SECRET_PREFIX = 'whsec_';

export interface Signed {
  readonly eventId: string;
  readonly body: string;
}

interface SignOptions {
  /** Every secret that is valid, newest first: a receiver may hold any of them. */
  readonly secrets: readonly string[];
  /** Unix seconds. */
  readonly timestamp: number;
}

/**
 * `X-Service-Signature` (D-60): signs the event's own time, so that retries and replays carry the
 * same signature. `v1` is the hex HMAC-SHA256 of `<id>.<t>.<body>`, keyed by the whole secret text
 * (`whsec_…` included), as Stripe does.
 */
export const stableSignature = (
  { eventId, body }: Signed,
  { secrets, timestamp }: SignOptions,
): string => {
  const signatures = secrets.map(
    (secret) =>
      `v1=${createHmac('sha256', secret).update(`${eventId}.${timestamp}.${body}`).digest('hex')}`,
  );
  return [`t=${timestamp}`, ...signatures].join(',');
};

/**
 * `webhook-signature` (Standard Webhooks): signs the attempt's time; the key is the base64 part of
 * the secret, the signature is base64.
 */
export const standardSignature = (
  { eventId, body }: Signed,
  { secrets, timestamp }: SignOptions,
): string =>
  secrets
    .map((secret) => {
      const key = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64');
      const signature = createHmac('sha256', key).update(`${eventId}.${timestamp}.${body}`);
      return `v1,${signature.digest('base64')}`;
    })
    .join(' ');
