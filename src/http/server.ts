import { NestFactory, Reflector } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import type { DynamicModule } from '@nestjs/common';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Config } from '../config';
import { MasterKey } from '../event-store/master-key';
import { DomainError } from '../kernel/errors';
import { Clock } from '../kernel/time';
import { Metrics } from '../ops/metrics';
import { ReadYourWrites } from '../projections/read-your-writes';
import { Runtime } from '../runtime';
import { Authenticator } from './authentication';
import { BodyGuard } from './body-guard';
import { ScopeGuard } from './decorators';
import { installDocs } from './docs';
import { errorBody } from './error-body';
import { ErrorFilter } from './error-filter';
import { IdempotencyStore } from './idempotency';
import { installPipeline } from './pipeline';
import { Presenter } from './presentation';
import { newRequestId } from './entropy';
import { type Limit, RateLimiter } from './rate-limit';
import type { RequestFacts } from './request-facts';
import { Routes } from './routes';
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
    frameworkErrors: answerBadUrl,
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
  const limitOf = limits(app.get(Config));
  const endpointLimitOf = endpointLimits(app.get(Config));
  installPipeline(server, {
    servesApi: app.get(Config).roles.has('api'),
    authenticator: app.get(Authenticator, { strict: false }),
    operatorToken: app.get(Runtime).operatorToken,
    idempotency: app.get(IdempotencyStore, { strict: false }),
    masterKey: app.get(MasterKey, { strict: false }),
    limiter: app.get(RateLimiter, { strict: false }),
    limitOf,
    endpointLimitOf,
    freshness: app.get(ReadYourWrites, { strict: false }),
    clock: app.get(Clock),
  });
  measure(server, app.get(Metrics));
  app.useGlobalFilters(new ErrorFilter(routes));
  app.useGlobalGuards(new ScopeGuard(app.get(Reflector)), new BodyGuard());
  app.useGlobalInterceptors(new Presenter(app.get(Reflector)));
  app.useGlobalPipes(validationPipe());
  installDocs(app);
  return app;
};

/** D-84: metrics have a bucket of their own. */
const limits =
  ({ rateLimits }: Config) =>
  (request: FastifyRequest, { principal }: RequestFacts): Limit => {
    const metrics = request.url.startsWith('/v1/metrics/');
    const environment = principal?.scope.environment ?? 'test';
    const rate = metrics ? rateLimits.metrics : rateLimits[environment];
    return { name: metrics ? 'metrics' : 'default', ratePerSecond: rate, burst: rate };
  };

/** D-84: `POST /v1/replay` is counted by the minute, beside the key's own limit. */
const endpointLimits =
  ({ rateLimits: { replaysPerMinute } }: Config) =>
  ({ method, routeOptions: { url } }: FastifyRequest): Limit | null =>
    method === 'POST' && url === '/v1/replay'
      ? { name: 'replay', ratePerSecond: replaysPerMinute / 60, burst: replaysPerMinute }
      : null;

/** A URL that cannot be decoded never reaches the pipeline. */
const answerBadUrl = (_error: Error, _request: FastifyRequest, reply: FastifyReply): void => {
  const error = new DomainError('parameter_invalid', 'The URL is not well-formed.', {
    param: 'url',
  });
  const id = newRequestId();
  void reply.code(400).header('x-request-id', id).send(errorBody(error, id));
};

/**
 * JSON bodies only, line by line where an operation takes that; anything else is a 415. An empty
 * body is no body, whatever its header says: some clients name a form on every POST.
 */
const acceptJsonOnly = (server: FastifyInstance): void => {
  const parse = server.getDefaultJsonParser('error', 'error');
  server.removeAllContentTypeParsers();
  server.addContentTypeParser<string>(
    'application/json',
    { parseAs: 'string' },
    (request, body, done) => {
      if (body === '') done(null, undefined);
      else if (isStreamed(request)) done(wrongMediaType());
      else void parse(request, body, done);
    },
  );
  // Handlers that take a stream read it themselves; for all others it is the wrong type.
  server.addContentTypeParser(NDJSON, (request, payload, done) => {
    if (isStreamed(request)) done(null, payload);
    else done(wrongMediaType());
  });
  server.addContentTypeParser('*', ({ headers }, _, done) => {
    const isEmpty =
      headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0;
    if (isEmpty) done(null, undefined);
    else done(wrongMediaType());
  });
};

const wrongMediaType = (): DomainError =>
  new DomainError('unsupported_media_type', 'Send the body as application/json.');

const NDJSON = 'application/x-ndjson';
/** Operations whose body is read line by line, however long it is. */
const STREAMED = new Set(['/v1/imports']);

const isStreamed = ({ routeOptions: { url } }: FastifyRequest): boolean => STREAMED.has(url ?? '');

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
