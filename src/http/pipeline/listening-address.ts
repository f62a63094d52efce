import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { Config } from '../../config/config';

/** Returns the URL on which a server listens, without a trailing slash. */
export const getListeningAddress = (
  app: NestFastifyApplication,
  { host, tls }: Pick<Config, 'host' | 'tls'>,
): string => {
  const { port } = app.getHttpServer().address() as { port: number };
  const name = host === '0.0.0.0' ? '127.0.0.1' : host;
  return `${tls === undefined ? 'http' : 'https'}://${name}:${port}`;
};
