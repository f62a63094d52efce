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
