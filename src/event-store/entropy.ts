import { hash, randomUUID } from 'node:crypto';
import type { Entropy } from '../kernel/ids';

/** Derives bytes from the seed of a command and a label. They must not be used for secrets. */
export const createEntropy =
  (seed: string): Entropy =>
  (label, bytes) =>
    hash('sha256', `${seed} ${label}`, 'buffer').subarray(0, bytes);

/**
 * Creates the id of a command without an Idempotency-Key. Node creates random UUIDs in advance, so
 * this is fast.
 */
export const newCommandId = (): string => randomUUID().replaceAll('-', '');

export const newRequestId = (): string => `req_${randomUUID().replaceAll('-', '')}`;

/**
 * Creates the trace context of a new trace that is not sampled. A UUID has the 32 hex digits of a
 * trace id.
 */
export const newTraceparent = (): string =>
  `00-${newTraceId()}-${randomUUID().slice(0, 8)}${randomUUID().slice(0, 8)}-00`;

/** Creates the id of a trace: 32 hex digits. */
export const newTraceId = (): string => randomUUID().replaceAll('-', '');
