import type { FastifyInstance } from 'fastify';

const WITH_CHARSET = /^(application\/(?:problem\+)?json); charset=utf-8$/;

/**
 * Removes the `charset` that Fastify adds to the type of a JSON body. RFC 8259 defines none, and
 * clients generated for Go compare the type with that of the API reference.
 */
export const omitJsonCharset = (server: FastifyInstance): void => {
  server.addHook('onSend', (_, reply, payload, done) => {
    const [, type] = WITH_CHARSET.exec(String(reply.getHeader('content-type') ?? '')) ?? [];
    if (type !== undefined) void reply.header('content-type', type);
    done(null, payload);
  });
};
