/**
 * The configuration: environment variables that are read once, validated together, and frozen. A
 * wrong variable stops the process with exit code 78 (EX_CONFIG) and one message with all problems.
 */

import { checkBaseUrl, checkDatabaseUrl, checkStoreUrl, checkUrl } from './addresses';
import type { TlsFiles } from './certificate';
import { type Env, EnvironmentReader, type Role } from './environment-reader';
import { type OidcSettings, readOidc } from './oidc';
import type { BlockList } from 'node:net';
import { SCHEDULES } from '../kernel/retry-policies';
import { LOG_LEVELS } from '../ops/log';
import type { TracingSettings } from '../ops/tracing-settings';
import { readTracing } from './tracing';

export type { Role };

export const EXIT_BAD_CONFIGURATION = 78;

export class Config {
  readonly host!: string;
  readonly port!: number;
  readonly dataDir!: string;
  /** URL of the event store; undefined = the embedded server. */
  readonly eventStoreUrl!: string | undefined;
  /** URL of the SQL database; undefined = the embedded PostgreSQL. */
  readonly databaseUrl!: string | undefined;
  readonly operatorToken!: string | undefined;
  /**
   * Master keys of 32 bytes, the current one first. Others belong to a rotation that has not ended.
   */
  readonly masterKeys!: readonly [Uint8Array, ...Uint8Array[]] | undefined;
  readonly allowInsecureDestinations!: boolean;
  /** True if some metrics are shown for each destination. The number of series grows with them. */
  readonly metricsPerTenant!: boolean;
  /** True if every request is logged, and not only those that end with 5xx. */
  readonly logRequests!: boolean;
  /**
   * True to play the demo scenario against a small local receiver if the data directory is empty.
   */
  readonly demo!: boolean;
  /** Delays in seconds before attempts 1, 2, 3 … */
  readonly retrySchedule!: { readonly live: readonly number[]; readonly test: readonly number[] };
  readonly replayRetrySchedule!: readonly number[];
  readonly deliveryTimeoutMs!: number;
  readonly connectTimeoutMs!: number;
  readonly deliveryProxyUrl!: string | undefined;
  readonly smtpUrl!: string | undefined;
  readonly mailFrom!: string;
  readonly roles!: ReadonlySet<Role>;
  /**
   * Number of working processes, without those of the embedded stores; `auto` chooses it by the
   * number of cores.
   */
  readonly processes!: number | 'auto';
  readonly logLevel!: string;
  /** Limits of requests. Those of `live`, `test` and `metrics` are per API key and second. */
  readonly rateLimits!: {
    readonly live: number;
    readonly test: number;
    readonly metrics: number;
    /** Maximum number of `POST /v1/replay` per API key and minute. */
    readonly replaysPerMinute: number;
    /** Maximum number of requests with wrong credentials per client address and minute. */
    readonly failedCredentials: number;
  };
  readonly concurrentRequestsPerKey!: number;
  /** Proxies whose `X-Forwarded-For` is trusted. */
  readonly trustedProxies!: BlockList;
  /** Files of the certificate and its key; undefined = plain HTTP. */
  readonly tls!: TlsFiles | undefined;
  readonly metricsToken!: string | undefined;
  readonly metricsPort!: number | undefined;
  /**
   * URL by which people reach the service, without a trailing slash; undefined = the URL of each
   * request.
   */
  readonly publicUrl!: string | undefined;
  /** The identity provider that people may sign in with; unset = none. */
  readonly oidc!: OidcSettings | undefined;
  /** Origins whose pages may show the console in a frame. */
  readonly consoleFrameAncestors!: readonly string[];
  /** Settings of tracing; undefined = no spans are recorded. */
  readonly tracing!: TracingSettings | undefined;
  /** Maximum of open connections; further ones are closed at once. */
  readonly connectionsMax!: number;

  constructor(values: Readonly<ConfigValues>) {
    Object.assign(this, values);
    Object.freeze(this);
  }
}

type ConfigValues = { [Name in keyof Config]: Config[Name] };

export class ConfigError extends Error {
  override readonly name = 'ConfigError';

  constructor(readonly problems: readonly string[]) {
    super(`Wrong configuration:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`);
  }
}

export const loadConfig = (env: Env): Config => {
  const read = new EnvironmentReader(env);
  const demo = read.readFlag('DEMO', false);
  const config = new Config({
    host: read.readHost('HOST', '127.0.0.1'),
    port: read.readInteger('PORT', 3000, [0, 65_535]),
    dataDir: read.readDirectory('DATA_DIR', './data'),
    eventStoreUrl: read.readUrl('EVENTSTORE_URL', ['esdb', 'esdb+discover'], checkStoreUrl),
    databaseUrl: read.readUrl('DATABASE_URL', ['postgres', 'postgresql'], checkDatabaseUrl),
    operatorToken: read.readToken('OPERATOR_TOKEN'),
    masterKeys: read.readKeys('MASTER_KEY', 32),
    // The demo's receiver is local, and its one retry should not take half a minute.
    allowInsecureDestinations: read.readFlag('ALLOW_INSECURE_DESTINATIONS', demo),
    logRequests: read.readFlag('LOG_REQUESTS', false),
    metricsPerTenant: read.readFlag('METRICS_PER_TENANT', false),
    demo,
    retrySchedule: {
      live: read.schedule('RETRY_SCHEDULE', SCHEDULES.live),
      test: read.schedule('TEST_RETRY_SCHEDULE', demo ? SCHEDULES.demo : SCHEDULES.test),
    },
    replayRetrySchedule: read.schedule('REPLAY_RETRY_SCHEDULE', SCHEDULES.replay),
    deliveryTimeoutMs: read.readInteger('DELIVERY_TIMEOUT_MS', 15_000, [1, 120_000]),
    connectTimeoutMs: read.readInteger('CONNECT_TIMEOUT_MS', 5_000, [1, 120_000]),
    deliveryProxyUrl: read.readUrl(
      'DELIVERY_PROXY_URL',
      ['http', 'https'],
      checkUrl('http://proxy.example:3128'),
    ),
    smtpUrl: read.readUrl(
      'SMTP_URL',
      ['smtp', 'smtps'],
      checkUrl('smtp://user:password@mail.example:587'),
    ),
    mailFrom: read.readSender('MAIL_FROM', 'subscription-events@localhost'),
    roles: read.readRoles('ROLES'),
    processes: read.readProcesses('PROCESSES'),
    logLevel: read.readOneOf('LOG_LEVEL', LOG_LEVELS, 'info'),
    rateLimits: {
      live: read.readInteger('RATE_LIMIT_LIVE', 100, [1, 1_000_000]),
      test: read.readInteger('RATE_LIMIT_TEST', 25, [1, 1_000_000]),
      metrics: read.readInteger('RATE_LIMIT_METRICS', 10, [1, 1_000_000]),
      replaysPerMinute: read.readInteger('RATE_LIMIT_REPLAY', 3, [1, 1_000_000]),
      failedCredentials: read.readInteger('RATE_LIMIT_FAILED_CREDENTIALS', 60, [1, 1_000_000]),
    },
    trustedProxies: read.readNetworks('TRUSTED_PROXIES'),
    tls: read.readCertificate(),
    metricsToken: read.readToken('METRICS_TOKEN'),
    metricsPort:
      read.readText('METRICS_PORT') === undefined
        ? undefined
        : read.readInteger('METRICS_PORT', 9464, [1, 65_535]),
    publicUrl: read
      .readUrl('PUBLIC_URL', ['https', 'http'], checkBaseUrl('https://events.example.com'))
      ?.replace(/\/+$/, ''),
    oidc: readOidc(
      read,
      read.readUrl('OIDC_ISSUER', ['https', 'http'], checkBaseUrl('https://id.example.com')),
    ),
    consoleFrameAncestors: read.readOrigins('CONSOLE_FRAME_ANCESTORS'),
    tracing: readTracing(read),
    connectionsMax: read.readInteger('CONNECTIONS_MAX', 2_000, [1, 100_000]),
    concurrentRequestsPerKey: read.readInteger('CONCURRENT_REQUESTS_PER_KEY', 20, [1, 100_000]),
  });
  checkCombinations(read);
  if (read.problems.length > 0) throw new ConfigError(read.problems);
  return config;
};

/**
 * Checks combinations of variables as they were given. A variable with a wrong value still counts
 * as set.
 */
const checkCombinations = (read: EnvironmentReader): void => {
  const hasKey =
    read.readText('MASTER_KEY') !== undefined || read.readText('MASTER_KEY_FILE') !== undefined;
  if (read.readText('EVENTSTORE_URL') !== undefined && !hasKey) {
    read.refuse(
      'MASTER_KEY',
      'is required when EVENTSTORE_URL is set (or MASTER_KEY_FILE): a generated key would be lost with this machine',
      undefined,
    );
  }
  if (Number(read.readText('METRICS_PORT')) === Number(read.readText('PORT') ?? 3000)) {
    read.refuse('METRICS_PORT', 'must be another port than PORT', undefined);
  }
  const processes = read.readText('PROCESSES') ?? 'auto';
  if (!['auto', '1'].includes(processes) && read.readText('ROLES') !== undefined) {
    read.refuse(
      'PROCESSES',
      'and ROLES exclude each other: the processes share all roles',
      undefined,
    );
  }
};
