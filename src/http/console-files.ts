import { readPath } from './pipeline/request-target';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { DomainError } from '../kernel/errors';
import { log } from '../ops/log';
import type { RouteFacts } from './pipeline/route-facts';

const FILES = join(__dirname, '../../packages/console/dist');
const PAGE = 'index.html';
const YEAR = 'public, max-age=31536000, immutable';

const CONSOLE = {
  config: { audience: { kind: 'public' }, isConsole: true } satisfies RouteFacts,
};

/**
 * Serves the files of the console under `/console`. Names of assets contain a hash of their
 * content, so browsers cache them for a year. Every other path is a page of the console and gets
 * the same file.
 */
export const serveConsole = async (server: FastifyInstance): Promise<void> => {
  if (!existsSync(join(FILES, PAGE))) {
    log.warn('the console is not built: "npm run build" builds it');
    return;
  }
  await server.register(fastifyStatic, {
    root: FILES,
    serve: false,
    preCompressed: true,
    cacheControl: false,
    index: false,
    dotfiles: 'ignore',
  });
  server.get('/console', CONSOLE, (_request, reply) => reply.redirect('/console/', 308));
  server.get('/console/assets/:name', CONSOLE, sendAsset);
  server.get('/console/', CONSOLE, sendPage);
  server.get('/console/*', CONSOLE, sendPage);
};

const sendAsset = (request: FastifyRequest, reply: FastifyReply): unknown => {
  const { name } = request.params as { readonly name: string };
  if (!ASSET.test(name) || !existsSync(join(FILES, 'assets', name)))
    throw createNoFileError(request);
  return reply.header('cache-control', YEAR).sendFile(`assets/${name}`);
};

/**
 * The names of assets. Slashes are excluded, and so are compressed copies, whose extension tells no
 * media type.
 */
const ASSET = /^[\w-]+\.(js|css|woff2|svg|png)$/;

const sendPage = (request: FastifyRequest, reply: FastifyReply): unknown => {
  const { '*': path } = request.params as { readonly '*'?: string };
  // A path of the console's API that no operation has, or not with this method.
  if (path?.startsWith('v1/') === true) {
    reply.callNotFound();
    return reply;
  }
  return reply.header('cache-control', 'no-cache').sendFile(PAGE);
};

const createNoFileError = ({ method, url }: FastifyRequest): DomainError =>
  new DomainError('route_not_found', `There is no ${method} ${readPath(url)}.`);
