/**
 * The configuration contract: environment variables, read once, validated together, frozen.
 * A wrong variable stops the process with exit code 78 (EX_CONFIG) and every problem in one message.
 */

import { statSync } from 'node:fs';
import { isIP } from 'node:net';
import { LOG_LEVELS } from './ops/log';

export type Role = 'api' | 'projector' | 'dispatcher' | 'replayer' | 'timers';
const ROLES: readonly Role[] = ['api', 'projector', 'dispatcher', 'replayer', 'timers'];

export const EXIT_BAD_CONFIGURATION = 78;

export class Config {
  readonly host!: string;
  readonly port!: number;
  readonly dataDir!: string;
  /** Unset = the embedded server. */
  readonly eventStoreUrl!: string | undefined;
  /** Unset = the embedded PostgreSQL. */
  readonly databaseUrl!: string | undefined;
  readonly operatorToken!: string | undefined;
  /** 32 bytes. */
  readonly masterKey!: Uint8Array | undefined;
  readonly allowInsecureDestinations!: boolean;
  /** On an empty data directory: play the demo scenario against a small local receiver. */
  readonly demo!: boolean;
  /** Seconds before attempts 1, 2, 3 … */
  readonly retrySchedule!: { readonly live: readonly number[]; readonly test: readonly number[] };
  readonly replayRetrySchedule!: readonly number[];
  readonly deliveryTimeoutMs!: number;
  readonly connectTimeoutMs!: number;
  readonly deliveryProxyUrl!: string | undefined;
  readonly smtpUrl!: string | undefined;
  readonly mailFrom!: string;
  readonly roles!: ReadonlySet<Role>;
  readonly logLevel!: string;
  /** Per API key: requests per second, and calls of `POST /v1/replay` per minute. */
  readonly rateLimits!: {
    readonly live: number;
    readonly test: number;
    readonly metrics: number;
    readonly replaysPerMinute: number;
  };
  readonly concurrentRequestsPerKey!: number;

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

/** Reads one variable after the other and collects what is wrong instead of stopping at the first. */
class Reader {
  readonly problems: string[] = [];

  constructor(private readonly env: Env) {}

  text(name: string): string | undefined {
    const value = this.env[name]?.trim();
    return value === '' ? undefined : value;
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

  /** `isWhole` sees what stands behind the protocol. */
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

  directory(name: string, fallback: string): string {
    const path = this.text(name) ?? fallback;
    return isDirectoryOrNew(path) ? path : this.refuse(name, 'must be a directory', fallback);
  }

  /** Seconds, comma-separated; at most 48 h each, so that a typing error is not a silent outage. */
  schedule(name: string, fallback: readonly number[]): readonly number[] {
    const text = this.text(name);
    if (text === undefined) return fallback;
    const parts = text.split(',').map((part) => part.trim());
    const valid = parts.every((part) => /^\d+(\.\d+)?$/.test(part) && Number(part) <= 172_800);
    if (valid && parts.length <= 30) return parts.map(Number);
    return this.refuse(name, 'must be seconds separated by commas, for example 0,5,300', fallback);
  }

  oneOf(name: string, allowed: readonly string[], fallback: string): string {
    const text = this.text(name) ?? fallback;
    if (allowed.includes(text)) return text;
    return this.refuse(name, `must be one of ${allowed.join(', ')}`, fallback);
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

  key(name: string, bytes: number): Uint8Array | undefined {
    const text = this.text(name);
    if (text === undefined) return text;
    const key = Buffer.from(text, 'base64');
    if (key.length === bytes) return new Uint8Array(key);
    return this.refuse<Uint8Array | undefined>(
      name,
      `must be ${bytes} bytes in base64 (openssl rand -base64 ${bytes})`,
      undefined,
    );
  }

  refuse<T>(name: string, reason: string, fallback: T): T {
    this.problems.push(`${name} ${reason}`);
    return fallback;
  }
}

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

/** As the client reads it: several hosts for a cluster, options behind them. */
const STORE_URL =
  /^esdb(\+discover)?:\/\/([^:@/]+:[^@]+@)?[^:,/?@]+(:\d+)?(,[^:,/?@]+(:\d+)?)*\/?(\?[^=&?]+=[^&?]+(&[^=&?]+=[^&?]+)*)?$/;

const isStoreUrl = (text: string): boolean => STORE_URL.test(text);

const namesHost = (text: string): boolean => URL.canParse(text) && new URL(text).hostname !== '';

/** The host of a socket is a parameter, or left out where the database is named. */
const isDatabaseUrl = (text: string): boolean => {
  const url = text.replace('@/', '@localhost/');
  if (!URL.canParse(url)) return false;
  const { hostname, pathname, searchParams } = new URL(url);
  return hostname !== '' || pathname.length > 1 || searchParams.has('host');
};

const HOUR_S = 3_600;

export const loadConfig = (env: Env): Config => {
  const read = new Reader(env);
  const demo = read.flag('DEMO', false);
  const config = new Config({
    host: read.host('HOST', '127.0.0.1'),
    port: read.integer('PORT', 3000, [0, 65_535]),
    dataDir: read.directory('DATA_DIR', './data'),
    eventStoreUrl: read.url('EVENTSTORE_URL', ['esdb', 'esdb+discover'], isStoreUrl),
    databaseUrl: read.url('DATABASE_URL', ['postgres', 'postgresql'], isDatabaseUrl),
    operatorToken: read.text('OPERATOR_TOKEN'),
    masterKey: read.key('MASTER_KEY', 32),
    // The demo's receiver is local, and its one retry should not take half a minute.
    allowInsecureDestinations: read.flag('ALLOW_INSECURE_DESTINATIONS', demo),
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
    logLevel: read.oneOf('LOG_LEVEL', LOG_LEVELS, 'info'),
    rateLimits: {
      live: read.integer('RATE_LIMIT_LIVE', 100, [1, 1_000_000]),
      test: read.integer('RATE_LIMIT_TEST', 25, [1, 1_000_000]),
      metrics: read.integer('RATE_LIMIT_METRICS', 10, [1, 1_000_000]),
      replaysPerMinute: read.integer('RATE_LIMIT_REPLAY', 3, [1, 1_000_000]),
    },
    concurrentRequestsPerKey: read.integer('CONCURRENT_REQUESTS_PER_KEY', 20, [1, 100_000]),
  });
  checkTogether(read);
  if (read.problems.length > 0) throw new ConfigError(read.problems);
  return config;
};

/** As they were given: a variable that is wrong in itself is set all the same. */
const checkTogether = (read: Reader): void => {
  if (read.text('EVENTSTORE_URL') !== undefined && read.text('MASTER_KEY') === undefined) {
    read.refuse(
      'MASTER_KEY',
      'is required when EVENTSTORE_URL is set: a generated key would be lost with this machine',
      undefined,
    );
  }
};
