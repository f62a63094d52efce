import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import type { DynamicModule } from '@nestjs/common';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Config } from '../config/config';
import { AuditTrail } from '../event-store/audit-trail';
import { MasterKey } from '../event-store/master-key';
import type { Environment } from '../kernel/scope';
import { Clock } from '../kernel/time';
import { log } from '../ops/log';
import { LiveRequests } from '../ops/live-requests';
import { Metrics } from '../ops/metrics';
import { Tracing } from '../ops/tracing';
import { ReadYourWrites } from '../projections/read-your-writes';
import { Authenticator, OperatorAuthenticator } from './pipeline/authentication';
import { acceptJsonOnly } from './pipeline/bodies';
import { InputGuard } from './pipeline/input-guard';
import { IDLE_CONNECTION_MS, installTimeLimits } from './pipeline/time-limits';
import { CredentialFailures } from './pipeline/credential-failures';
import { omitJsonCharset } from './pipeline/json-type';
import { createSecureHeaders } from './pipeline/secure-headers';
import { followCertificate, createTransport } from './transport';
import { installDocs } from './reference/docs';
import { ErrorFilter } from './pipeline/error-filter';
import { isNotReadyAnswer } from './pipeline/health-check';
import { IdempotencyStore } from './pipeline/idempotency';
import type { MetricsAccess } from './pipeline/access';
import { installPipeline } from './pipeline/pipeline';
import { getTraceId } from './pipeline/request-facts';
import { recordRequest } from './pipeline/request-trace';
import { presentAnswers } from './pipeline/presentation';
import { type Limit, RateLimiter } from './pipeline/rate-limit';
import type { RouteFacts } from './pipeline/route-facts';
import { Routes } from './pipeline/routes';
import { Sessions } from './pipeline/sessions';
import { serveConsole } from './console-files';
import { SharedRateLimiter } from './pipeline/shared-rate-limit';
import { answerBadUrl, answerUnparsed, ignoreExpectations } from './pipeline/unreadable';
import { createValidationPipe } from './fields/validation';

/** The largest JSON body: 1 MiB (D-81). */
const BODY_BYTES_MAX = 1024 * 1024;
const URL_CHARS_MAX = 16_384;

export interface HttpApplication {
  readonly app: NestFastifyApplication;
  /** The routes are complete after the application is initialised. */
  readonly routes: Routes;
}

/** The HTTP application, ready to listen: pipeline, validation, scopes, errors, reference. */
export const createServer = async (
  module: DynamicModule,
  config: Config,
  readinessOf: (app: NestFastifyApplication) => { isStarting(): boolean },
): Promise<HttpApplication> => {
  const adapter = new FastifyAdapter({
    bodyLimit: BODY_BYTES_MAX,
    routerOptions: { maxParamLength: URL_CHARS_MAX },
    forceCloseConnections: 'idle',
    // Fastify would answer with its own body. The pipeline refuses requests during shutdown
    // instead.
    return503OnClosing: false,
    frameworkErrors: answerBadUrl,
    clientErrorHandler: answerUnparsed,
    connectionTimeout: IDLE_CONNECTION_MS,
    ...createTransport(config),
    skipMiddie: true,
  });
  const app = await NestFactory.create<NestFastifyApplication>(module, adapter, {
    logger: false,
    abortOnError: false,
    bodyParser: false,
  });
  const server = adapter.getInstance();
  const routes = new Routes(server);
  const errors = new ErrorFilter(routes);
  answerErrorsOfEveryRoute(server, errors);
  server.server.maxConnections = config.connectionsMax;
  followCertificate(server.server, config);
  acceptJsonOnly(server);
  ignoreExpectations(server);
  const limitOf = createLimits(app.get(Config));
  const endpointLimitOf = createEndpointLimits(app.get(Config));
  const readiness = readinessOf(app);
  installPipeline(adapter, {
    servesApi: app.get(Config).roles.has('api'),
    isStarting: () => readiness.isStarting(),
    authenticator: app.get(Authenticator, { strict: false }),
    sessions: app.get(Sessions, { strict: false }),
    failures: new CredentialFailures(
      app.get(SharedRateLimiter, { strict: false }),
      app.get(Config).rateLimits.failedCredentials,
    ),
    operators: app.get(OperatorAuthenticator, { strict: false }),
    trustedProxies: app.get(Config).trustedProxies,
    metricsAccess: readMetricsAccess(app.get(Config)),
    idempotency: app.get(IdempotencyStore, { strict: false }),
    masterKey: app.get(MasterKey, { strict: false }),
    limiter: app.get(RateLimiter, { strict: false }),
    sharedLimiter: app.get(SharedRateLimiter, { strict: false }),
    limitOf,
    endpointLimitOf,
    freshness: app.get(ReadYourWrites, { strict: false }),
    auditTrail: app.get(AuditTrail, { strict: false }),
    liveRequests: app.get(LiveRequests),
    tracing: app.get(Tracing),
    clock: app.get(Clock),
  });
  refuseUnknown(server, routes);
  installTimeLimits(server);
  createSecureHeaders(server, app.get(Config).consoleFrameAncestors);
  presentAnswers(server);
  omitJsonCharset(server);
  traceRequests(server, app.get(Tracing));
  measureRequests(server, app.get(Metrics), app.get(Config).logRequests);
  app.useGlobalFilters(errors);
  app.useGlobalGuards(new InputGuard());
  app.useGlobalPipes(createValidationPipe());
  installDocs(app);
  if (app.get(Config).roles.has('api')) await serveConsole(server);
  return { app, routes };
};

/** Gives routes outside Nest, such as pages and files, the same error body. */
const answerErrorsOfEveryRoute = (server: FastifyInstance, errors: ErrorFilter): void => {
  server.addHook('onRoute', (route) => {
    route.errorHandler ??= (error, request, reply) => {
      errors.answer(error, request, reply);
    };
  });
};

/** Refuses a request without an operation before its body is read. */
const refuseUnknown = (server: FastifyInstance, routes: Routes): void => {
  server.addHook('onRequest', (request, _reply, done) => {
    done(request.is404 ? routes.createRefusal(request) : undefined);
  });
};

const readMetricsAccess = ({ metricsPort, metricsToken }: Config): MetricsAccess => {
  if (metricsPort !== undefined) return { kind: 'elsewhere' };
  return metricsToken === undefined ? { kind: 'open' } : { kind: 'token', token: metricsToken };
};

/** The limits of a key's requests (D-84). Metrics have their own bucket. */
const createLimits =
  ({ rateLimits }: Config) =>
  ({ rateLimit }: RouteFacts, environment: Environment): Limit =>
    rateLimit === 'metrics'
      ? createLimit('metrics', 'endpoint-rate', rateLimits.metrics)
      : createLimit('default', 'key-rate', rateLimits[environment]);

const createLimit = (name: string, reason: Limit['reason'], rate: number): Limit => ({
  name,
  reason,
  ratePerSecond: rate,
  burst: rate,
});

/**
 * The limit of `POST /v1/replay` (D-84). It is counted per minute over all processes, in addition
 * to the key's limit.
 */
const createEndpointLimits =
  ({ rateLimits: { replaysPerMinute } }: Config) =>
  ({ endpointLimit }: RouteFacts): Limit | null =>
    endpointLimit === 'replay'
      ? {
          name: 'replay',
          reason: 'endpoint-rate',
          ratePerSecond: replaysPerMinute / 60,
          burst: replaysPerMinute,
        }
      : null;

const measureRequests = (
  server: FastifyInstance,
  { requests, serverErrors, rateLimited }: Metrics,
  logsAll: boolean,
): void => {
  server.addHook('onResponse', (request, reply, done) => {
    const labels = {
      method: request.method,
      route: request.routeOptions.url ?? 'unknown',
      status: String(reply.statusCode),
    };
    requests.observe(labels, reply.elapsedTime / 1000);
    const hasFailed = reply.statusCode >= 500 && !isNotReadyAnswer(request, reply.statusCode);
    if (hasFailed) serverErrors.inc();
    if (reply.statusCode === 429) {
      const reason = reply.getHeader('x-service-rate-limited-reason');
      rateLimited.inc({ reason: typeof reason === 'string' ? reason : 'other' });
    }
    if (logsAll || hasFailed) logRequest(request, reply);
    done();
  });
};

const traceRequests = (server: FastifyInstance, tracing: Tracing): void => {
  if (!tracing.isOn) return;
  server.addHook('onResponse', (request, reply, done) => {
    recordRequest(tracing, request, reply);
    done();
  });
};

/**
 * Writes the canonical log line of a request. It contains the route and not the target, which may
 * contain personal data.
 */
const logRequest = (request: FastifyRequest, reply: FastifyReply): void => {
  log.info(
    {
      request_id: reply.getHeader('x-request-id'),
      trace_id: getTraceId(request),
      method: request.method,
      route: request.routeOptions.url ?? 'unknown',
      status: reply.statusCode,
      duration_ms: Math.round(reply.elapsedTime),
    },
    'request',
  );
};
