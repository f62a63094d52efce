import fastify from 'fastify';
import { createRequire } from 'node:module';

/**
 * Loads the package when the page is first requested: it is large, and a bundle cannot contain it.
 */
const load = createRequire(__filename);

/**
 * Returns the script of the reference page (Scalar) from the installed package. The package offers
 * it only as a part of a Fastify server, so it is requested from such a server once.
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
