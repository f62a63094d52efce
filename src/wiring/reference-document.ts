import { NestFactory } from '@nestjs/core';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { loadConfig } from '../config/config';
import type { Env } from '../config/environment-reader';
import { Runtime } from '../config/runtime';
import { buildOpenApi } from '../http/reference/openapi';
import type { Instant } from '../kernel/time';
import { AppModule } from './app.module';
import type { OpenAPIObject } from '@nestjs/swagger';

/** A fixed instant, so that the same sources give the same document. */
const NOW = '2026-03-10T12:00:00.000Z' as Instant;

/** Creates the OpenAPI document from the sources, without a running service. */
export const createDocument = async (env: Env = {}): Promise<OpenAPIObject> => {
  // A preview creates no provider, so the addresses of the stores are not read and nothing
  // connects.
  const runtime = Object.create(Runtime.prototype) as Runtime;
  const config = loadConfig(env);
  const module = AppModule.create({ config, runtime });
  const app = await NestFactory.create(module, new FastifyAdapter(), {
    preview: true,
    logger: false,
    abortOnError: false,
  });
  const localUrl = `http://127.0.0.1:${config.port}`;
  return buildOpenApi(app, { now: NOW, publicUrl: config.publicUrl, localUrl });
};
