import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A wrong value of a variable, and the end of the one sentence about it that the service says. */
export interface WrongValue {
  readonly value: string;
  readonly says: string;
  /** Variables that must be set besides, for example the certificate that a key belongs to. */
  readonly beside?: Readonly<Record<string, string>>;
}

const TLS = join(__dirname, 'tls');
const CERT = join(TLS, 'self-signed.pem');
const KEY = join(TLS, 'self-signed.key');
/** The file of this module: it exists and is no directory, no certificate and no key. */
const THIS = __filename;
const MASTER_KEY = Buffer.alloc(32, 1).toString('base64');

const directory = mkdtempSync(join(tmpdir(), 'wrong-values-'));
const EMPTY = join(directory, 'empty');
writeFileSync(EMPTY, '');
const OTHER_KEY = join(directory, 'other.key');
const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
writeFileSync(OTHER_KEY, privateKey.export({ type: 'pkcs8', format: 'pem' }));

export const removeWrongValues = (): void => {
  rmSync(directory, { recursive: true });
};

const STORE = 'write it as esdb://user:password@host.example:2113?tlsCAFile=/path/ca.crt';
const UNREADABLE = '/none, which cannot be read (ENOENT): name a file that this account can read';
const STORE_OPTIONS =
  'tls, tlsCAFile, tlsVerifyCert, userCertFile, userKeyFile, nodePreference, connectionName, defaultDeadline, discoveryInterval, gossipTimeout, keepAliveInterval, keepAliveTimeout, maxDiscoverAttempts, throwOnAppendFailure';
const SECRET_LENGTH = 'can be guessed: take at least 20 random characters (openssl rand -hex 24)';
const SECRET_CHARS = 'must be printable ASCII without spaces (openssl rand -hex 24)';
const SCHEDULE =
  'must be at most 30 delays of at most 172800 seconds, separated by commas, for example 0,5,300';
const PAIRS = 'must be name=value pairs separated by commas';

/** Wrong texts of a variable that all cause the same sentence. */
const listWrong = (says: string, ...values: readonly string[]): readonly WrongValue[] =>
  values.map((value) => ({ value, says }));

const listWrongNumbers = (min: number, max: number): readonly WrongValue[] =>
  listWrong(
    `must be a whole number from ${min} to ${max}`,
    'many',
    '-1',
    '1.5',
    '1e3',
    '0x10',
    String(max + 1),
  );

const flags = listWrong('must be true or false', 'yes', '1', 'TRUE');

const listWrongNames = (list: string): readonly WrongValue[] =>
  listWrong(`must be one of ${list}`, 'loud');

const listWrongWebAddresses = (
  example: string,
  starts = 'http:// or https://',
): readonly WrongValue[] => [
  ...listWrong(`must start with ${starts}`, 'example.com', 'ftp://example.com'),
  ...listWrong(
    `is not a complete address: write it as ${example}`,
    `${starts.split(' ')[0]}`,
    `${starts.split(' ')[0]}a:99999`,
  ),
];

const listWrongBaseAddresses = (example: string): readonly WrongValue[] => [
  ...listWrongWebAddresses(example, 'https:// or http://'),
  ...listWrong(`must end before a ? or #: write it as ${example}`, 'https://a.example/?a=1'),
];

const listWrongMounts = (name: string): readonly WrongValue[] => [
  { value: '/none', says: `names ${UNREADABLE}` },
  { value: EMPTY, says: `names ${EMPTY}, which is empty: write the value of ${name} into it` },
];

const store = (...pairs: readonly (readonly [string, string])[]): readonly WrongValue[] =>
  pairs.map(([value, says]) => ({ value, says, beside: { MASTER_KEY } }));

/**
 * The issuer and the client of single sign-on, for the variables that mean nothing without them.
 */
const OIDC = { OIDC_ISSUER: 'https://id.example.com', OIDC_CLIENT_ID: 'service' };

/** Wrong values of every variable that does not take any text. */
export const WRONG_VALUES: Readonly<Record<string, readonly WrongValue[]>> = {
  PORT: listWrongNumbers(0, 65_535),
  HOST: listWrong(
    'must be an IP address or a host name without a port, for example 127.0.0.1, or 0.0.0.0 for all addresses',
    'not a host!',
    'http://localhost',
    '[::1]',
    '127.0.0.1:3000',
  ),
  DATA_DIR: [THIS, `${THIS}/data`].map((value) => ({
    value,
    says: `must be a directory, which may be missing; ${value} is a file or lies below one`,
  })),
  EVENTSTORE_URL: store(
    ['http://localhost', 'must start with esdb:// or esdb+discover://'],
    ['esdb://', `is not a complete address: ${STORE}`],
    ['esdb://?tls=false', `is not a complete address: ${STORE}`],
    ['esdb://a b:2113', `names "a b:2113", which is no host with a port: ${STORE}`],
    ['esdb://a.example,[::1]', `names "[::1]", which is no host with a port: ${STORE}`],
    ['esdb://a.example:port', 'names the port port: it must be a whole number from 1 to 65535'],
    ['esdb://a.example:99999', 'names the port 99999: it must be a whole number from 1 to 65535'],
    [
      'esdb://user@a.example',
      'must name a user and a password as user:password@, with %40 for an @ and %2F for a / in them',
    ],
    ['esdb://user:100%@a.example', 'has a % that begins no escape sequence: write %25 for a %'],
    [
      'esdb://a.example?tls',
      'has the option "tls" without a value: write it as name=value, such as tls=false',
    ],
    ['esdb://a.example?tls=maybe', 'has the option tls=maybe: write true or false'],
    [
      'esdb://a.example?connectionName=%ZZ',
      'has a % that begins no escape sequence: write %25 for a %',
    ],
    [
      'esdb://a.example?gossipTimeout=soon',
      'has the option gossipTimeout=soon: write a whole number',
    ],
    [
      'esdb://a.example?nodePreference=none',
      'has the option nodePreference=none: write one of leader, follower, read_only_replica, random',
    ],
    ['esdb://a.example?tlsCAFile=/none', `has the option tlsCAFile with ${UNREADABLE}`],
    [
      `esdb://a.example?userCertFile=${encodeURIComponent(CERT)}`,
      'must have the options userCertFile and userKeyFile together',
    ],
    [
      'esdb://a.example?colour=blue',
      `has the option "colour", which does not exist: write one of ${STORE_OPTIONS}`,
    ],
  ),
  DATABASE_URL: [
    ...listWrong('must start with postgres:// or postgresql://', 'mysql://a.example/b'),
    ...listWrong(
      'is not a complete address: write it as postgres://user:password@host.example:5432/database',
      'postgres://',
      'postgres://localhost:port/db',
      'postgres://localhost:99999/db',
    ),
    ...listWrong(
      'has the option sslmode=on: write one of disable, prefer, require, verify-ca, verify-full, no-verify',
      'postgres://localhost/db?sslmode=on',
    ),
    ...listWrong(
      `has the option sslrootcert with ${UNREADABLE}`,
      'postgres://a/b?sslrootcert=/none',
    ),
  ],
  MASTER_KEY: listWrong(
    'must be 32 bytes in base64 (openssl rand -base64 32)',
    'short',
    `${MASTER_KEY} x`,
  ),
  OPERATOR_TOKEN: [
    ...listWrong(SECRET_LENGTH, 'swordfish', 'a'.repeat(40)),
    ...listWrong(SECRET_CHARS, 'päss'.repeat(9)),
  ],
  METRICS_TOKEN: [
    ...listWrong(SECRET_LENGTH, 'swordfish'),
    ...listWrong(SECRET_CHARS, 'two words '.repeat(9)),
  ],
  MASTER_KEY_FILE: listWrongMounts('MASTER_KEY'),
  OPERATOR_TOKEN_FILE: listWrongMounts('OPERATOR_TOKEN'),
  DATABASE_URL_FILE: listWrongMounts('DATABASE_URL'),
  OIDC_CLIENT_SECRET_FILE: listWrongMounts('OIDC_CLIENT_SECRET').map((wrong) => ({
    ...wrong,
    beside: OIDC,
  })),
  ALLOW_INSECURE_DESTINATIONS: flags,
  RETRY_SCHEDULE: listWrong(
    SCHEDULE,
    '0,five',
    '0,,5',
    '-1',
    '172801',
    Array(31).fill('1').join(','),
  ),
  TEST_RETRY_SCHEDULE: listWrong(SCHEDULE, '0;5'),
  REPLAY_RETRY_SCHEDULE: listWrong(SCHEDULE, '5 s'),
  DELIVERY_TIMEOUT_MS: listWrongNumbers(1, 120_000),
  CONNECT_TIMEOUT_MS: listWrongNumbers(1, 120_000),
  SMTP_URL: listWrongWebAddresses('smtp://user:password@mail.example:587', 'smtp:// or smtps://'),
  MAIL_FROM: listWrong(
    'must be an e-mail address such as events@example.com, or a name and <address>',
    'not an address',
    'a@example.com, b@example.com',
    'Events <events>',
  ),
  DELIVERY_PROXY_URL: listWrongWebAddresses('http://proxy.example:3128'),
  RATE_LIMIT_LIVE: listWrongNumbers(1, 1_000_000),
  RATE_LIMIT_TEST: listWrongNumbers(1, 1_000_000),
  RATE_LIMIT_METRICS: listWrongNumbers(1, 1_000_000),
  RATE_LIMIT_REPLAY: listWrongNumbers(1, 1_000_000),
  RATE_LIMIT_FAILED_CREDENTIALS: listWrongNumbers(1, 1_000_000),
  CONCURRENT_REQUESTS_PER_KEY: listWrongNumbers(1, 100_000),
  CONNECTIONS_MAX: listWrongNumbers(1, 100_000),
  TRUSTED_PROXIES: ['proxy.example', '10.0.0.0/33', '10.0.0.1/8/8'].map((value) => ({
    value,
    says: `has "${value}", which is no address or CIDR range: write them as 192.0.2.1,10.0.0.0/8`,
  })),
  TLS_CERT: [
    { value: '/none', says: `names ${UNREADABLE}`, beside: { TLS_KEY: KEY } },
    {
      value: THIS,
      says: `names ${THIS}, which holds no certificate in PEM: name one that does`,
      beside: { TLS_KEY: KEY },
    },
  ],
  TLS_KEY: [
    { value: '/none', says: `names ${UNREADABLE}`, beside: { TLS_CERT: CERT } },
    {
      value: THIS,
      says: `names ${THIS}, which holds no unencrypted private key in PEM: name one that does`,
      beside: { TLS_CERT: CERT },
    },
    {
      value: OTHER_KEY,
      says: `names ${OTHER_KEY}, which is not the key of the first certificate in TLS_CERT: name the key that is`,
      beside: { TLS_CERT: CERT },
    },
  ],
  METRICS_PORT: [
    ...listWrongNumbers(1, 65_535),
    { value: '8080', says: 'must be another port than PORT', beside: { PORT: '8080' } },
  ],
  ROLES: listWrong(
    'must be a comma-separated choice of api, projector, dispatcher, replayer, timers',
    'api,unknown',
    ',',
  ),
  PROCESSES: [
    ...listWrong('must be auto or a whole number from 1 to 64', 'many', '0', '65'),
    {
      value: '2',
      says: 'and ROLES exclude each other: the processes share all roles',
      beside: { ROLES: 'api' },
    },
  ],
  LOG_LEVEL: listWrongNames('fatal, error, warn, info, debug, trace, silent'),
  LOG_REQUESTS: flags,
  METRICS_PER_TENANT: flags,
  DEMO: flags,
  PUBLIC_URL: listWrongBaseAddresses('https://events.example.com'),
  CONSOLE_FRAME_ANCESTORS: listWrong(
    'must be origins such as https://app.example.com, without a path',
    'app.example.com',
    'https://app.example.com/page',
  ),
  OIDC_ISSUER: [
    ...listWrongBaseAddresses('https://id.example.com').map((wrong) => ({
      ...wrong,
      beside: { OIDC_CLIENT_ID: 'service' },
    })),
    {
      value: 'http://id.example.com',
      says: 'must start with https:// unless it is on this machine',
      beside: { OIDC_CLIENT_ID: 'service' },
    },
  ],
  OIDC_ALLOWED_DOMAINS: ['localhost', 'ada@example.com'].map((value) => ({
    value,
    says: 'must be domains such as example.com',
    beside: OIDC,
  })),
  OTEL_EXPORTER_OTLP_ENDPOINT: listWrongWebAddresses('http://collector.example:4318'),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: listWrongWebAddresses('http://collector.example:4318'),
  OTEL_TRACES_EXPORTER: listWrongNames('otlp, none'),
  OTEL_SDK_DISABLED: flags,
  OTEL_EXPORTER_OTLP_PROTOCOL: listWrongNames('http/protobuf, http/json'),
  OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: listWrongNames('http/protobuf, http/json'),
  OTEL_EXPORTER_OTLP_COMPRESSION: listWrongNames('gzip, none'),
  OTEL_EXPORTER_OTLP_TRACES_COMPRESSION: listWrongNames('gzip, none'),
  OTEL_TRACES_SAMPLER: listWrongNames(
    'always_on, always_off, traceidratio, parentbased_always_on, parentbased_always_off, parentbased_traceidratio',
  ),
  OTEL_TRACES_SAMPLER_ARG: listWrong('must be a number from 0 to 1', '2', 'often', '-0.1'),
  OTEL_EXPORTER_OTLP_HEADERS: listWrong(PAIRS, 'token', '=x', 'a=1,b'),
  OTEL_EXPORTER_OTLP_TRACES_HEADERS: listWrong(PAIRS, 'token'),
  OTEL_RESOURCE_ATTRIBUTES: listWrong(PAIRS, 'blue'),
  OTEL_EXPORTER_OTLP_CERTIFICATE: listWrong(`names ${UNREADABLE}`, '/none'),
  OTEL_EXPORTER_OTLP_CLIENT_CERTIFICATE: listWrong(`names ${UNREADABLE}`, '/none'),
  OTEL_EXPORTER_OTLP_CLIENT_KEY: listWrong(`names ${UNREADABLE}`, '/none'),
  OTEL_EXPORTER_OTLP_TIMEOUT: listWrongNumbers(1, 1_000_000_000),
  OTEL_EXPORTER_OTLP_TRACES_TIMEOUT: listWrongNumbers(1, 1_000_000_000),
  OTEL_BSP_SCHEDULE_DELAY: listWrongNumbers(1, 1_000_000_000),
  OTEL_BSP_EXPORT_TIMEOUT: listWrongNumbers(1, 1_000_000_000),
  OTEL_BSP_MAX_QUEUE_SIZE: listWrongNumbers(1, 1_000_000_000),
  OTEL_BSP_MAX_EXPORT_BATCH_SIZE: listWrongNumbers(1, 1_000_000_000),
};

/** Variables that accept any text. */
export const ANY_TEXT = [
  'OIDC_CLIENT_ID',
  'OIDC_CLIENT_SECRET',
  'OIDC_ROLE_CLAIM',
  'OTEL_SERVICE_NAME',
];
