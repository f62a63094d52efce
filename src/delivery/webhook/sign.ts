import { createHmac } from 'node:crypto';

const SECRET_PREFIX = 'whsec_';

export interface Signed {
  readonly eventId: string;
  readonly body: string;
}

interface SignOptions {
  /** All valid secrets, newest first: a receiver may hold any of them. */
  readonly secrets: readonly string[];
  /** Timestamp in Unix seconds. */
  readonly timestamp: number;
}

/**
 * Creates the header `X-Service-Signature` (D-60). It signs the event's own time, so retries and
 * replays carry the same signature. `v1` is the hex HMAC-SHA256 of `<id>.<t>.<body>`. The key is
 * the whole secret text (`whsec_…` included), as at Stripe.
 */
export const signStable = (
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
 * Creates the header `webhook-signature` (Standard Webhooks). It signs the time of the attempt. The
 * key is the base64 part of the secret, and the signature is base64.
 */
export const signStandard = (
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
