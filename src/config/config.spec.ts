import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConfigError, loadConfig } from './config';

const findProblems = (env: Record<string, string>): readonly string[] => {
  try {
    loadConfig(env);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
};

describe('configuration', () => {
  it('has the documented defaults', () => {
    expect(loadConfig({})).toMatchObject({
      host: '127.0.0.1',
      port: 3000,
      dataDir: './data',
      allowInsecureDestinations: false,
      retrySchedule: {
        live: [0, 5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400],
        test: [0, 30, 300],
      },
      replayRetrySchedule: [0, 30, 300],
      deliveryTimeoutMs: 15_000,
      connectTimeoutMs: 5_000,
      logLevel: 'info',
      roles: new Set(['api', 'projector', 'dispatcher', 'replayer', 'timers']),
      processes: 'auto',
      rateLimits: { live: 100, test: 25, metrics: 10 },
    });
  });

  it('names every wrong variable in one message', () => {
    const problems = findProblems({
      PORT: '99999',
      EVENTSTORE_URL: 'http://localhost',
      DATABASE_URL: 'mysql://x',
      MASTER_KEY: 'short',
      RETRY_SCHEDULE: '0,five',
      DELIVERY_TIMEOUT_MS: '-1',
      ALLOW_INSECURE_DESTINATIONS: 'yes',
      ROLES: 'api,unknown',
      LOG_LEVEL: 'loud',
    });
    expect(problems.map((problem) => problem.split(' ')[0]).sort()).toEqual([
      'ALLOW_INSECURE_DESTINATIONS',
      'DATABASE_URL',
      'DELIVERY_TIMEOUT_MS',
      'EVENTSTORE_URL',
      'LOG_LEVEL',
      'MASTER_KEY',
      'PORT',
      'RETRY_SCHEDULE',
      'ROLES',
    ]);
  });

  it.each([
    [
      'EVENTSTORE_URL',
      'esdb://admin:change%40it@a.example:2113,b.example:2114?tls=true&tlsVerifyCert=false',
    ],
    ['EVENTSTORE_URL', 'esdb+discover://cluster.example'],
    ['EVENTSTORE_URL', 'esdb://10.0.0.7/?tls=false'],
    ['DATABASE_URL', 'postgresql://user:p%40ss@db.example:5432/service?sslmode=require'],
    ['DATABASE_URL', 'postgres:///service?host=/var/run/postgresql'],
    ['DATABASE_URL', 'postgres://user:secret@/service?host=/var/run/postgresql'],
    ['DATABASE_URL', 'postgres://%2Fvar%2Frun%2Fpostgresql/service'],
    ['DELIVERY_PROXY_URL', 'http://user:secret@proxy.example:3128'],
    ['SMTP_URL', 'smtps://user%40example.com:secret@mail.example:465/?pool=true'],
    ['MAIL_FROM', 'Events <events@service.example>'],
    ['MAIL_FROM', '"Acme, Inc." <events@service.example>'],
    ['MAIL_FROM', 'events@localhost'],
    ['HOST', '0.0.0.0'],
    ['HOST', '::1'],
    ['HOST', 'localhost'],
    ['HOST', 'service-1.internal.example'],
    ['DATA_DIR', __dirname],
    ['DATA_DIR', `${__dirname}/not-yet/data`],
  ])('accepts %s with the value %s', (name, value) => {
    const masterKey = Buffer.alloc(32, 1).toString('base64');
    expect(findProblems({ MASTER_KEY: masterKey, [name]: value })).toEqual([]);
  });

  it('reads secrets from the files that are named', () => {
    const dir = mkdtempSync(join(tmpdir(), 'secrets-'));
    const file = (name: string, text: string): string => {
      writeFileSync(join(dir, name), text);
      return join(dir, name);
    };
    const keys = [1, 2].map((fill) => Buffer.alloc(32, fill).toString('base64'));
    const config = loadConfig({
      MASTER_KEY_FILE: file('key', `${keys.join('\n')}\n`),
      OPERATOR_TOKEN_FILE: file('token', 'a-token-of-more-than-twenty-characters-4711\n'),
      DATABASE_URL_FILE: file('url', 'postgres://service@localhost/events\n'),
    });
    expect(config.masterKeys?.map(([first]) => first)).toEqual([1, 2]);
    expect(config.operatorToken).toBe('a-token-of-more-than-twenty-characters-4711');
    expect(config.databaseUrl).toBe('postgres://service@localhost/events');
    rmSync(dir, { recursive: true });
  });

  it('refuses a secret that is given twice', () => {
    const twice = { OPERATOR_TOKEN: 'a'.repeat(40), OPERATOR_TOKEN_FILE: '/etc/hostname' };
    expect(findProblems(twice)).toContainEqual(expect.stringContaining('are both set'));
  });

  it.each([
    [{ OIDC_ISSUER: 'https://id.example.com' }, 'OIDC_CLIENT_ID', 'OIDC_ISSUER'],
    [{ OIDC_CLIENT_ID: 'service' }, 'OIDC_ISSUER', 'OIDC_CLIENT_ID'],
    [{ OIDC_CLIENT_SECRET: 'secret' }, 'OIDC_ISSUER', 'OIDC_CLIENT_SECRET'],
    [{ OIDC_ALLOWED_DOMAINS: 'example.com' }, 'OIDC_ISSUER', 'OIDC_ALLOWED_DOMAINS'],
    [{ OIDC_ROLE_CLAIM: 'roles' }, 'OIDC_ISSUER', 'OIDC_ROLE_CLAIM'],
  ])('refuses %j alone and names the variable that is missing', (env, missing, given) => {
    expect(findProblems(env)).toEqual([`${missing} is required when ${given} is set`]);
  });

  it('refuses the same port for metrics and requests', () => {
    expect(findProblems({ PORT: '8080', METRICS_PORT: '8080' })).toEqual([
      'METRICS_PORT must be another port than PORT',
    ]);
    expect(findProblems({ PORT: '8080', METRICS_PORT: '9464' })).toEqual([]);
  });

  it('requires a master key if the event store is external', () => {
    const url = { EVENTSTORE_URL: 'esdb://localhost:2113?tls=false' };
    expect(findProblems(url)).toEqual([expect.stringContaining('MASTER_KEY is required')]);
    const key = Buffer.alloc(32, 1).toString('base64');
    expect(findProblems({ ...url, MASTER_KEY: key })).toEqual([]);
    expect(findProblems({ EVENTSTORE_URL: 'http://localhost' })).toEqual([
      expect.stringContaining('EVENTSTORE_URL must start'),
      expect.stringContaining('MASTER_KEY is required'),
    ]);
  });

  it('records spans only where a collector is named, one trace in a hundred', () => {
    const url = 'http://collector:4318';
    const standard = {
      protocol: 'http/protobuf',
      sampler: 'parentbased_traceidratio',
      ratio: 0.01,
    };
    expect(loadConfig({}).tracing).toBeUndefined();
    expect(loadConfig({ OTEL_SERVICE_NAME: 'x' }).tracing).toBeUndefined();
    expect(loadConfig({ OTEL_EXPORTER_OTLP_ENDPOINT: url }).tracing).toEqual(standard);
    expect(loadConfig({ OTEL_TRACES_EXPORTER: 'otlp' }).tracing).toEqual(standard);
    for (const off of [{ OTEL_TRACES_EXPORTER: 'none' }, { OTEL_SDK_DISABLED: 'true' }]) {
      expect(loadConfig({ OTEL_EXPORTER_OTLP_ENDPOINT: url, ...off }).tracing).toBeUndefined();
    }
    const named = {
      OTEL_EXPORTER_OTLP_ENDPOINT: url,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
      OTEL_TRACES_SAMPLER: 'traceidratio',
    };
    const chosen = { protocol: 'http/json', sampler: 'traceidratio' };
    expect(loadConfig(named).tracing).toEqual({ ...chosen, ratio: 1 });
    const share = { ...named, OTEL_TRACES_SAMPLER_ARG: '0.25' };
    expect(loadConfig(share).tracing).toEqual({ ...chosen, ratio: 0.25 });
    expect(
      findProblems({
        OTEL_TRACES_EXPORTER: 'jaeger',
        OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc',
        OTEL_TRACES_SAMPLER: 'often',
        OTEL_TRACES_SAMPLER_ARG: '2',
      }).map((problem) => problem.split(' ')[0]),
    ).toEqual([
      'OTEL_TRACES_EXPORTER',
      'OTEL_EXPORTER_OTLP_PROTOCOL',
      'OTEL_TRACES_SAMPLER',
      'OTEL_TRACES_SAMPLER_ARG',
    ]);
  });

  it('never shows a secret in an error message', () => {
    expect(findProblems({ MASTER_KEY: 'hunter2', OPERATOR_TOKEN: 'swordfish' }).join()).not.toMatch(
      /hunter2|swordfish/,
    );
  });
});
