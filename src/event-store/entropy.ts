import { hash, randomUUID } from 'node:crypto';
import type { Entropy } from '../kernel/ids';

/** Bytes that follow from a command's seed and a label. Not for secrets. */
export const entropyOf =
  (seed: string): Entropy =>
  (label, bytes) =>
    hash('sha256', `${seed} ${label}`, 'buffer').subarray(0, bytes);

/** Names a command that has no Idempotency-Key. (Node keeps random UUIDs in stock.) */
export const newCommandId = (): string => randomUUID().replaceAll('-', '');

export const newRequestId = (): string => `req_${randomUUID().replaceAll('-', '')}`;

/** A trace of its own, not sampled. A UUID has the 32 hex digits of a trace id. */
export const newTraceparent = (): string => {
  const traceId = randomUUID().replaceAll('-', '');
  return `00-${traceId}-${randomUUID().slice(0, 8)}${randomUUID().slice(0, 8)}-00`;
};
