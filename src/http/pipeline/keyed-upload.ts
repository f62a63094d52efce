import { createHash } from 'node:crypto';
import { warnOfFailure } from '../../event-store/failures';
import { Readable } from 'node:stream';
import { type IdempotencyStore, type KeyedRequest, keyReusedError } from './idempotency';

/** The interval between extensions of the lock, well below the lock's duration. */
const EXTEND_INTERVAL_MS = 20_000;

/**
 * A streamed body under an Idempotency-Key. It may be larger than memory, so it is not part of the
 * fingerprint (D-82). It is hashed while its handler reads it, and the hash is stored before the
 * handler sees the end of the body. The hash is therefore known for every effect that depends on a
 * whole body.
 */
export class KeyedUpload {
  /** The digest of the whole body, once this run or an earlier run has read it completely. */
  digest: string | null;
  /** True if the body differs from the one that an earlier run read and may have acted on. */
  differs = false;
  private heldAt = Date.now();

  constructor(
    private readonly store: Pick<IdempotencyStore, 'extendLock' | 'storeBodyDigest'>,
    private readonly keyed: KeyedRequest,
    expected: string | null,
  ) {
    this.digest = expected;
  }

  /**
   * Returns the body for its handler. It fails with `idempotency_key_reused` if it is not the
   * expected body.
   */
  pass(body: Readable): Readable {
    return Readable.from(this.read(body), { objectMode: false });
  }

  private async *read(body: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    const hash = createHash('sha256');
    for await (const bytes of body) {
      hash.update(bytes);
      await this.extendLock();
      yield bytes;
    }
    await this.note(hash.digest('hex'));
  }

  private async note(digest: string): Promise<void> {
    this.differs = this.digest !== null && this.digest !== digest;
    if (this.differs) throw keyReusedError();
    if (this.digest === null) await this.store.storeBodyDigest(this.keyed, digest);
    this.digest = digest;
  }

  private async extendLock(): Promise<void> {
    if (Date.now() - this.heldAt < EXTEND_INTERVAL_MS) return;
    this.heldAt = Date.now();
    await this.store.extendLock(this.keyed).catch((error: unknown) => {
      warnOfFailure('could not hold an Idempotency-Key', 'idempotency', error);
    });
  }
}

/** Computes the SHA-256 of a body that nothing else reads. */
export const computeDigest = async (body: unknown): Promise<string> => {
  const hash = createHash('sha256');
  if (body instanceof Readable) for await (const bytes of body) hash.update(bytes as Buffer);
  return hash.digest('hex');
};
