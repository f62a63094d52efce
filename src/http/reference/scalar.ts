import fastify from 'fastify';
import { createRequire } from 'node:module';

/**
 * Loads the package at the first request of the page. The package is large, and a bundle cannot
 * contain it.
 */
const load = createRequire(__filename);

/**
 * Returns the script of the reference page (Scalar) from the installed package. The package offers
 * the script only through a Fastify plugin, so a temporary server is asked for it.
 */
export const readScalarScript = async (): Promise<Buffer> => {
  const { default: scalar } = load(
    '@scalar/fastify-api-reference',
  ) as typeof import('@scalar/fastify-api-reference');
  const server = fastify();
  await server.register(scalar, { routePrefix: '/docs', configuration: { url: '/openapi.json' } });
  const { rawPayload } = await server.inject('/docs/js/scalar.js');
  await server.close();
  return rawPayload;
};
