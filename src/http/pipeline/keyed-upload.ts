import { createHash } from 'node:crypto';
import { warnOfFailure } from '../../event-store/failures';
import { Readable } from 'node:stream';
import { type IdempotencyStore, type KeyedRequest, reused } from './idempotency';

/** Well within the time that a key is locked for. */
const HOLD_EVERY_MS = 20_000;

/**
 * A streamed body under an Idempotency-Key. It may be longer than memory, so it is no part of the
 * fingerprint (D-82): it is hashed while its handler reads it, and the hash is stored before the
 * handler is told that the body has ended. So whatever was made of a whole body, its hash is known.
 */
export class KeyedUpload {
  /** Of the whole body, once that is read, now or by an earlier run of the request. */
  digest: string | null;
  /** It is not what the earlier run had read, and may have acted on. */
  differs = false;
  private heldAt = Date.now();

  constructor(
    private readonly store: Pick<IdempotencyStore, 'hold' | 'noteBody'>,
    private readonly keyed: KeyedRequest,
    expected: string | null,
  ) {
    this.digest = expected;
  }

  /** The body for its handler; ends in `idempotency_key_reused` where it is not the expected one. */
  through(body: Readable): Readable {
    return Readable.from(this.read(body), { objectMode: false });
  }

  private async *read(body: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    const hash = createHash('sha256');
    for await (const bytes of body) {
      hash.update(bytes);
      await this.hold();
      yield bytes;
    }
    await this.note(hash.digest('hex'));
  }

  private async note(digest: string): Promise<void> {
    this.differs = this.digest !== null && this.digest !== digest;
    if (this.differs) throw reused();
    if (this.digest === null) await this.store.noteBody(this.keyed, digest);
    this.digest = digest;
  }

  private async hold(): Promise<void> {
    if (Date.now() - this.heldAt < HOLD_EVERY_MS) return;
    this.heldAt = Date.now();
    await this.store.hold(this.keyed).catch((error: unknown) => {
      warnOfFailure('could not hold an Idempotency-Key', 'idempotency', error);
    });
  }
}

/** SHA-256 of a body that nobody else reads. */
export const digestOf = async (body: unknown): Promise<string> => {
  const hash = createHash('sha256');
  if (body instanceof Readable) for await (const bytes of body) hash.update(bytes as Buffer);
  return hash.digest('hex');
};
