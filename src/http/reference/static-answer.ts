import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { namesTag } from '../pipeline/entity-tags';

const compressBrotli = promisify(brotliCompress);
const compressGzip = promisify(gzip);
/** The Brotli level. Higher levels take seconds and save only a few per cent. */
const BROTLI_QUALITY = 5;

type Encoding = 'br' | 'gzip' | 'identity';

/**
 * A response that does not change. It is compressed if the client accepts that. A client that
 * already has it gets 304 instead (ETag).
 */
export class StaticAnswer {
  private readonly encoded = new Map<Encoding, Promise<Buffer>>();
  private content: Promise<Buffer> | undefined;

  constructor(
    private readonly type: string,
    private readonly make: () => string | Buffer | Promise<string | Buffer>,
  ) {}

  async send(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const content = await this.getWhole();
    const etag = `"${createHash('sha256').update(content).digest('base64url').slice(0, 27)}"`;
    const encoding = chooseEncoding(request.headers['accept-encoding'] ?? '');
    void reply
      .type(this.type)
      .header('etag', etag)
      .header('vary', 'Accept-Encoding')
      .header('cache-control', 'no-cache');
    if (namesTag(request.headers['if-none-match'], etag)) return reply.status(304).send();
    if (encoding === 'identity') return reply.send(content);
    return reply.header('content-encoding', encoding).send(await this.getCompressed(encoding));
  }

  private getWhole(): Promise<Buffer> {
    this.content ??= Promise.resolve(this.make()).then((made) => Buffer.from(made));
    return this.content;
  }

  private getCompressed(encoding: 'br' | 'gzip'): Promise<Buffer> {
    const known = this.encoded.get(encoding);
    if (known !== undefined) return known;
    const made = this.getWhole().then((content) =>
      encoding === 'gzip'
        ? compressGzip(content)
        : compressBrotli(content, {
            params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY },
          }),
    );
    this.encoded.set(encoding, made);
    return made;
  }
}

/** Returns the best encoding that the client accepts. `q=0` refuses an encoding. */
const chooseEncoding = (accepted: string): Encoding => {
  const names = accepted
    .split(',')
    .map((each) => each.trim().toLowerCase())
    .filter((each) => !/;\s*q=0(\.0*)?$/.test(each))
    .map((each) => each.split(';')[0]);
  return (['br', 'gzip'] as const).find((each) => names.includes(each)) ?? 'identity';
};
