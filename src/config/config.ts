/**
 * The configuration: environment variables that are read once, validated together, and frozen. A
 * wrong variable stops the process with exit code 78 (EX_CONFIG) and one message with all problems.
 */

import { type OidcSettings, readOidc } from './oidc';
import { readFileSync, statSync } from 'node:fs';
import { BlockList, isIP } from 'node:net';
import { createSecureContext } from 'node:tls';
import { LOG_LEVELS } from '../ops/log';
import { OTLP_PROTOCOLS, SAMPLERS, type TracingSettings } from '../ops/tracing-settings';

export type Role = 'api' | 'projector' | 'dispatcher' | 'replayer' | 'timers';
const ROLES: readonly Role[] = ['api', 'projector', 'dispatcher', 'replayer', 'timers'];

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
  /** Limits per API key: requests per second, and calls of `POST /v1/replay` per minute. */
  readonly rateLimits!: {
    readonly live: number;
    readonly test: number;
    readonly metrics: number;
    readonly replaysPerMinute: number;
    /** Attempts with wrong credentials from one address per minute. */
    readonly failedCredentials: number;
  };
  readonly concurrentRequestsPerKey!: number;
  /** Proxies whose `X-Forwarded-For` is trusted. */
  readonly trustedProxies!: BlockList;
  /** Files of the certificate and its key; undefined = plain HTTP. */
  readonly tls!: { readonly certFile: string; readonly keyFile: string } | undefined;
  readonly metricsToken!: string | undefined;
  readonly metricsPort!: number | undefined;
  /**
   * URL by which people reach the service, without a trailing slash; undefined = the URL of each
   * request.
   */
  readonly publicUrl!: string | undefined;
  /** The provider of identities that people may sign in with; unset = none. */
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

type Env = Readonly<Record<string, string | undefined>>;

/** Reads variables and collects all problems instead of stopping at the first one. */
class EnvironmentReader {
  readonly problems: string[] = [];

  private readonly env: Env;

  constructor(given: Env) {
    this.env = { ...given, ...this.readSecretFiles(given) };
  }

  text(name: string): string | undefined {
    const value = this.env[name]?.trim();
    return value === '' ? undefined : value;
  }

  /**
   * Reads secrets from files. `NAME_FILE` names a file with the value of `NAME`, as orchestrators
   * mount secrets.
   */
  private readSecretFiles(given: Env): Env {
    const read: Record<string, string> = {};
    for (const name of MOUNTED_SECRETS) {
      const file = given[`${name}_FILE`]?.trim() ?? '';
      if (file === '') continue;
      if ((given[name]?.trim() ?? '') !== '') {
        this.refuse(name, `and ${name}_FILE are both set: set one of them`, undefined);
        continue;
      }
      read[name] = this.readSecretFile(file, name);
    }
    return read;
  }

  private readSecretFile(file: string, name: string): string {
    try {
      const text = readFileSync(file, 'utf8').trim();
      return text === '' ? this.refuse(`${name}_FILE`, `is empty: ${file}`, '') : text;
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      return this.refuse(`${name}_FILE`, `cannot be read: ${file} (${String(code)})`, '');
    }
  }

  integer(name: string, fallback: number, [min, max]: readonly [number, number]): number {
    const text = this.text(name);
    if (text === undefined) return fallback;
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= min && value <= max) return value;
    return this.refuse(name, `must be a whole number from ${min} to ${max}`, fallback);
  }

  flag(name: string, fallback: boolean): boolean {
    const text = this.text(name) ?? String(fallback);
    if (text === 'true' || text === 'false') return text === 'true';
    return this.refuse(name, 'must be true or false', fallback);
  }

  /** Reads a URL. `isWhole` checks the complete text, whose protocol is already checked. */
  url(
    name: string,
    protocols: readonly string[],
    isWhole: (text: string) => boolean,
  ): string | undefined {
    const text = this.text(name);
    if (text === undefined) return text;
    if (!protocols.some((protocol) => text.startsWith(`${protocol}://`))) {
      const starts = protocols.map((protocol) => `${protocol}://`).join(' or ');
      return this.refuse<string | undefined>(name, `must start with ${starts}`, undefined);
    }
    if (isWhole(text)) return text;
    return this.refuse<string | undefined>(name, 'is not a complete address', undefined);
  }

  host(name: string, fallback: string): string {
    const text = this.text(name) ?? fallback;
    if (isIP(text) !== 0 || (HOST_NAME.test(text) && text.length <= 253)) return text;
    return this.refuse(name, 'must be an IP address or a host name', fallback);
  }

  sender(name: string, fallback: string): string {
    const text = this.text(name) ?? fallback;
    if (SENDER.test(text)) return text;
    return this.refuse(name, 'must be an e-mail address, or a name and <address>', fallback);
  }

  /** Reads origins such as `https://app.example.com`, separated by spaces or commas. */
  origins(name: string): readonly string[] {
    const origins = this.words(name);
    const isOrigin = (text: string): boolean =>
      /^https?:\/\//.test(text) && URL.canParse(text) && new URL(text).origin === text;
    if (origins.every(isOrigin)) return origins;
    return this.refuse<readonly string[]>(
      name,
      'must be origins such as https://app.example.com, without a path',
      [],
    );
  }

  words(name: string): readonly string[] {
    return (this.text(name) ?? '').split(/[\s,]+/).filter((word) => word !== '');
  }

  directory(name: string, fallback: string): string {
    const path = this.text(name) ?? fallback;
    return isDirectoryOrNew(path) ? path : this.refuse(name, 'must be a directory', fallback);
  }

  /**
   * Reads seconds separated by commas. Each is at most 48 h, so that a typing error does not cause
   * a silent outage.
   */
  schedule(name: string, fallback: readonly number[]): readonly number[] {
    const text = this.text(name);
    if (text === undefined) return fallback;
    const parts = text.split(',').map((part) => part.trim());
    const valid = parts.every((part) => /^\d+(\.\d+)?$/.test(part) && Number(part) <= 172_800);
    if (valid && parts.length <= 30) return parts.map(Number);
    return this.refuse(name, 'must be seconds separated by commas, for example 0,5,300', fallback);
  }

  oneOf<T extends string>(name: string, allowed: readonly T[], fallback: T): T {
    const text = this.text(name) ?? fallback;
    const found = allowed.find((each) => each === text);
    if (found !== undefined) return found;
    return this.refuse(name, `must be one of ${allowed.join(', ')}`, fallback);
  }

  /** The standard variables of OpenTelemetry, as far as the service and not the library reads them. */
  tracing(): TracingSettings | undefined {
    const exporter = this.oneOf('OTEL_TRACES_EXPORTER', ['otlp', 'none'], 'otlp');
    const settings = { protocol: this.otlpProtocol(), ...this.sampler() };
    const isAsked = ['OTEL_EXPORTER_OTLP_ENDPOINT', 'OTEL_TRACES_EXPORTER'].some(
      (name) => this.text(name) !== undefined,
    );
    const isDisabled = this.flag('OTEL_SDK_DISABLED', false);
    return isAsked && exporter === 'otlp' && !isDisabled ? settings : undefined;
  }

  private otlpProtocol(): TracingSettings['protocol'] {
    const general = this.oneOf('OTEL_EXPORTER_OTLP_PROTOCOL', OTLP_PROTOCOLS, 'http/protobuf');
    return this.oneOf('OTEL_EXPORTER_OTLP_TRACES_PROTOCOL', OTLP_PROTOCOLS, general);
  }

  private sampler(): Pick<TracingSettings, 'sampler' | 'ratio'> {
    const isNamed = this.text('OTEL_TRACES_SAMPLER') !== undefined;
    const sampler = this.oneOf('OTEL_TRACES_SAMPLER', SAMPLERS, 'parentbased_traceidratio');
    const ratio = Number(this.text('OTEL_TRACES_SAMPLER_ARG') ?? (isNamed ? 1 : TRACES_SAMPLED));
    if (ratio >= 0 && ratio <= 1) return { sampler, ratio };
    return this.refuse('OTEL_TRACES_SAMPLER_ARG', 'must be a number from 0 to 1', {
      sampler,
      ratio: TRACES_SAMPLED,
    });
  }

  roles(name: string): ReadonlySet<Role> {
    const names = (this.text(name) ?? ROLES.join(',')).split(',').map((part) => part.trim());
    const roles = ROLES.filter((role) => names.includes(role));
    if (roles.length > 0 && names.every((each) => ROLES.some((role) => role === each))) {
      return new Set(roles);
    }
    return this.refuse(
      name,
      `must be a comma-separated choice of ${ROLES.join(', ')}`,
      new Set(ROLES),
    );
  }

  processes(name: string): number | 'auto' {
    return (this.text(name) ?? 'auto') === 'auto'
      ? 'auto'
      : this.integer(name, 1, [1, PROCESSES_MAX]);
  }

  keys(name: string, bytes: number): Keys | undefined {
    const text = this.text(name);
    if (text === undefined) return text;
    const keys = text.split(/\s+/).map((line) => new Uint8Array(Buffer.from(line, 'base64')));
    const [first, ...others] = keys;
    if (first !== undefined && keys.every((key) => key.length === bytes)) return [first, ...others];
    return this.refuse<Keys | undefined>(
      name,
      `must be ${bytes} bytes in base64 (openssl rand -base64 ${bytes})`,
      undefined,
    );
  }

  /** Reads addresses and CIDR ranges, separated by commas. */
  networks(name: string): BlockList {
    const list = new BlockList();
    for (const entry of (this.text(name) ?? '').split(',').map((each) => each.trim())) {
      const [address = '', bits = isIP(address) === 6 ? '128' : '32', rest] = entry.split('/');
      const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
      const fits = /^\d{1,3}$/.test(bits) && Number(bits) <= (family === 'ipv6' ? 128 : 32);
      if (entry === '') continue;
      if (isIP(address) !== 0 && fits && rest === undefined) {
        list.addSubnet(address, Number(bits), family);
      } else return this.refuse(name, `has "${entry}", which is no address or CIDR range`, list);
    }
    return list;
  }

  /**
   * Reads the files of a certificate and its key: both or neither, and the key must belong to the
   * certificate.
   */
  certificate(certName: string, keyName: string): Config['tls'] {
    const [certFile, keyFile] = [this.text(certName), this.text(keyName)];
    if (certFile === undefined && keyFile === undefined) return undefined;
    if (certFile === undefined || keyFile === undefined) {
      return this.refuse<Config['tls']>(certName, `and ${keyName} must be set together`, undefined);
    }
    try {
      createSecureContext({ cert: readFileSync(certFile), key: readFileSync(keyFile) });
    } catch (error) {
      const { message } = error as Error;
      return this.refuse<Config['tls']>(
        certName,
        `and ${keyName} cannot be used: ${message}`,
        undefined,
      );
    }
    return { certFile, keyFile };
  }

  /** Reads a secret. A short or monotonous one can be guessed and is refused. */
  token(name: string): string | undefined {
    const text = this.text(name);
    if (text === undefined) return text;
    if (!/^[\x21-\x7e]+$/.test(text)) {
      return this.refuse<string | undefined>(
        name,
        'must be printable ASCII without spaces',
        undefined,
      );
    }
    if (text.length >= TOKEN_CHARS_MIN && new Set(text).size >= TOKEN_DIFFERENT_CHARS_MIN)
      return text;
    return this.refuse<string | undefined>(
      name,
      `can be guessed: take at least ${TOKEN_CHARS_MIN} random characters (openssl rand -hex 24)`,
      undefined,
    );
  }

  refuse<T>(name: string, reason: string, fallback: T): T {
    this.problems.push(`${name} ${reason}`);
    return fallback;
  }
}

const PROCESSES_MAX = 64;

/** The share of traces whose spans are recorded, where nothing else is configured. */
const TRACES_SAMPLED = 0.01;
const TOKEN_CHARS_MIN = 20;
/** A text with fewer different characters was typed and not generated at random. */
const TOKEN_DIFFERENT_CHARS_MIN = 8;

type Keys = readonly [Uint8Array, ...Uint8Array[]];

/** Secrets that can be given in files. */
const MOUNTED_SECRETS = [
  'MASTER_KEY',
  'OPERATOR_TOKEN',
  'DATABASE_URL',
  'OIDC_CLIENT_SECRET',
] as const;

const isDirectoryOrNew = (path: string): boolean => {
  try {
    return statSync(path).isDirectory();
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT';
  }
};

const HOST_NAME = /^[a-z0-9_][a-z0-9_-]{0,62}(\.[a-z0-9_][a-z0-9_-]{0,62})*\.?$/i;

const ADDRESS = String.raw`[^\s"<>@,;:]+@[^\s"<>@,;:]+`;
const DISPLAY_NAME = String.raw`(?:"(?:[^"\\]|\\.)*"|[^"<>@,;:]*)`;
const SENDER = new RegExp(`^(?:${ADDRESS}|${DISPLAY_NAME}\\s*<${ADDRESS}>)$`);

/** A URL as the client reads it: several hosts for a cluster, followed by options. */
const STORE_URL =
  /^esdb(\+discover)?:\/\/([^:@/]+:[^@]+@)?[^:,/?@]+(:\d+)?(,[^:,/?@]+(:\d+)?)*\/?(\?[^=&?]+=[^&?]+(&[^=&?]+=[^&?]+)*)?$/;

const isStoreUrl = (text: string): boolean => STORE_URL.test(text);

const namesHost = (text: string): boolean => URL.canParse(text) && new URL(text).hostname !== '';

/**
 * True for a database URL. The host may be missing or be a parameter if the database is reached by
 * a socket.
 */
const isDatabaseUrl = (text: string): boolean => {
  const url = text.replace('@/', '@localhost/');
  if (!URL.canParse(url)) return false;
  const { hostname, pathname, searchParams } = new URL(url);
  return hostname !== '' || pathname.length > 1 || searchParams.has('host');
};

const HOUR_S = 3_600;

export const loadConfig = (env: Env): Config => {
  const read = new EnvironmentReader(env);
  const demo = read.flag('DEMO', false);
  const config = new Config({
    host: read.host('HOST', '127.0.0.1'),
    port: read.integer('PORT', 3000, [0, 65_535]),
    dataDir: read.directory('DATA_DIR', './data'),
    eventStoreUrl: read.url('EVENTSTORE_URL', ['esdb', 'esdb+discover'], isStoreUrl),
    databaseUrl: read.url('DATABASE_URL', ['postgres', 'postgresql'], isDatabaseUrl),
    operatorToken: read.token('OPERATOR_TOKEN'),
    masterKeys: read.keys('MASTER_KEY', 32),
    // The demo's receiver is local, and its one retry should not take half a minute.
    allowInsecureDestinations: read.flag('ALLOW_INSECURE_DESTINATIONS', demo),
    logRequests: read.flag('LOG_REQUESTS', false),
    metricsPerTenant: read.flag('METRICS_PER_TENANT', false),
    demo,
    retrySchedule: {
      live: read.schedule('RETRY_SCHEDULE', [
        0,
        5,
        300,
        1_800,
        2 * HOUR_S,
        5 * HOUR_S,
        10 * HOUR_S,
        14 * HOUR_S,
        20 * HOUR_S,
        24 * HOUR_S,
      ]),
      test: read.schedule('TEST_RETRY_SCHEDULE', demo ? [0, 1, 5] : [0, 30, 300]),
    },
    replayRetrySchedule: read.schedule('REPLAY_RETRY_SCHEDULE', [0, 30, 300]),
    deliveryTimeoutMs: read.integer('DELIVERY_TIMEOUT_MS', 15_000, [1, 120_000]),
    connectTimeoutMs: read.integer('CONNECT_TIMEOUT_MS', 5_000, [1, 120_000]),
    deliveryProxyUrl: read.url('DELIVERY_PROXY_URL', ['http', 'https'], namesHost),
    smtpUrl: read.url('SMTP_URL', ['smtp', 'smtps'], namesHost),
    mailFrom: read.sender('MAIL_FROM', 'subscription-events@localhost'),
    roles: read.roles('ROLES'),
    processes: read.processes('PROCESSES'),
    logLevel: read.oneOf('LOG_LEVEL', LOG_LEVELS, 'info'),
    rateLimits: {
      live: read.integer('RATE_LIMIT_LIVE', 100, [1, 1_000_000]),
      test: read.integer('RATE_LIMIT_TEST', 25, [1, 1_000_000]),
      metrics: read.integer('RATE_LIMIT_METRICS', 10, [1, 1_000_000]),
      replaysPerMinute: read.integer('RATE_LIMIT_REPLAY', 3, [1, 1_000_000]),
      failedCredentials: read.integer('RATE_LIMIT_FAILED_CREDENTIALS', 60, [1, 1_000_000]),
    },
    trustedProxies: read.networks('TRUSTED_PROXIES'),
    tls: read.certificate('TLS_CERT', 'TLS_KEY'),
    metricsToken: read.token('METRICS_TOKEN'),
    metricsPort:
      read.text('METRICS_PORT') === undefined
        ? undefined
        : read.integer('METRICS_PORT', 9464, [1, 65_535]),
    publicUrl: read.url('PUBLIC_URL', ['https', 'http'], namesHost)?.replace(/\/+$/, ''),
    oidc: readOidc(read, read.url('OIDC_ISSUER', ['https', 'http'], namesHost)),
    consoleFrameAncestors: read.origins('CONSOLE_FRAME_ANCESTORS'),
    tracing: read.tracing(),
    connectionsMax: read.integer('CONNECTIONS_MAX', 2_000, [1, 100_000]),
    concurrentRequestsPerKey: read.integer('CONCURRENT_REQUESTS_PER_KEY', 20, [1, 100_000]),
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
    read.text('MASTER_KEY') !== undefined || read.text('MASTER_KEY_FILE') !== undefined;
  if (read.text('EVENTSTORE_URL') !== undefined && !hasKey) {
    read.refuse(
      'MASTER_KEY',
      'is required when EVENTSTORE_URL is set (or MASTER_KEY_FILE): a generated key would be lost with this machine',
      undefined,
    );
  }
  const processes = read.text('PROCESSES') ?? 'auto';
  if (!['auto', '1'].includes(processes) && read.text('ROLES') !== undefined) {
    read.refuse(
      'PROCESSES',
      'and ROLES exclude each other: the processes share all roles',
      undefined,
    );
  }
};
