import { NestFactory, Reflector } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import type { DynamicModule } from '@nestjs/common';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Config } from '../config';
import { MasterKey } from '../event-store/master-key';
import { Clock } from '../kernel/time';
import { Metrics } from '../ops/metrics';
import { Readiness } from '../ops/readiness';
import { ReadYourWrites } from '../projections/read-your-writes';
import { Runtime } from '../runtime';
import { Authenticator } from './authentication';
import { acceptJsonOnly } from './bodies';
import { InputGuard } from './input-guard';
import { ScopeGuard } from './decorators';
import { installDocs } from './docs';
import { ErrorFilter } from './error-filter';
import { IdempotencyStore } from './idempotency';
import { installPipeline } from './pipeline';
import { presentAnswers } from './presentation';
import { type Limit, RateLimiter } from './rate-limit';
import type { RequestFacts } from './request-facts';
import { Routes } from './routes';
import { SharedRateLimiter } from './shared-rate-limit';
import { answerBadUrl, answerUnparsed, ignoreExpectations } from './unreadable';
import { validationPipe } from './validation';

/** 1 MiB (D-81). */
const BODY_BYTES_MAX = 1024 * 1024;
const URL_CHARS_MAX = 16_384;

/** The HTTP application, ready to listen: pipeline, validation, scopes, errors, reference. */
export const createServer = async (module: DynamicModule): Promise<NestFastifyApplication> => {
  const adapter = new FastifyAdapter({
    bodyLimit: BODY_BYTES_MAX,
    routerOptions: { maxParamLength: URL_CHARS_MAX },
    forceCloseConnections: 'idle',
    // Fastify would answer with a body of its own; the pipeline refuses what comes too late.
    return503OnClosing: false,
    frameworkErrors: answerBadUrl,
    clientErrorHandler: answerUnparsed,
    http: { requireHostHeader: false },
    skipMiddie: true,
  });
  const app = await NestFactory.create<NestFastifyApplication>(module, adapter, {
    logger: false,
    abortOnError: false,
    bodyParser: false,
  });
  const server = adapter.getInstance();
  const routes = new Routes(server);
  acceptJsonOnly(server);
  ignoreExpectations(server);
  const limitOf = limits(app.get(Config));
  const endpointLimitOf = endpointLimits(app.get(Config));
  const readiness = app.get(Readiness, { strict: false });
  installPipeline(server, {
    servesApi: app.get(Config).roles.has('api'),
    isStarting: () => readiness.isStarting(),
    authenticator: app.get(Authenticator, { strict: false }),
    operatorToken: app.get(Runtime).operatorToken,
    idempotency: app.get(IdempotencyStore, { strict: false }),
    masterKey: app.get(MasterKey, { strict: false }),
    limiter: app.get(RateLimiter, { strict: false }),
    sharedLimiter: app.get(SharedRateLimiter, { strict: false }),
    limitOf,
    endpointLimitOf,
    freshness: app.get(ReadYourWrites, { strict: false }),
    clock: app.get(Clock),
  });
  presentAnswers(server);
  measure(server, app.get(Metrics));
  app.useGlobalFilters(new ErrorFilter(routes));
  app.useGlobalGuards(new ScopeGuard(app.get(Reflector)), new InputGuard());
  app.useGlobalPipes(validationPipe());
  installDocs(app);
  return app;
};

/** D-84: metrics have a bucket of their own. */
const limits =
  ({ rateLimits }: Config) =>
  (request: FastifyRequest, { principal }: RequestFacts): Limit => {
    const environment = principal?.scope.environment ?? 'test';
    return request.url.startsWith('/v1/metrics/')
      ? perSecond('metrics', 'endpoint-rate', rateLimits.metrics)
      : perSecond('default', 'key-rate', rateLimits[environment]);
  };

const perSecond = (name: string, reason: Limit['reason'], rate: number): Limit => ({
  name,
  reason,
  ratePerSecond: rate,
  burst: rate,
});

/** D-84: `POST /v1/replay` is counted by the minute and over all processes, beside the key's own limit. */
const endpointLimits =
  ({ rateLimits: { replaysPerMinute } }: Config) =>
  ({ method, routeOptions: { url } }: FastifyRequest): Limit | null =>
    method === 'POST' && url === '/v1/replay'
      ? {
          name: 'replay',
          reason: 'endpoint-rate',
          ratePerSecond: replaysPerMinute / 60,
          burst: replaysPerMinute,
        }
      : null;

const measure = (server: FastifyInstance, { requests }: Metrics): void => {
  server.addHook('onResponse', (request, reply, done) => {
    const labels = {
      method: request.method,
      route: request.routeOptions.url ?? 'unknown',
      status: String(reply.statusCode),
    };
    requests.observe(labels, reply.elapsedTime / 1000);
    done();
  });
};
