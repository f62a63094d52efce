import { isIPv4 } from 'node:net';
import { isHostNameTooLong } from '../kernel/url';
import { describeUnreadable } from './readable-file';

/**
 * Checks the address in an environment variable. Returns null for a valid address. Otherwise it
 * returns the end of a sentence that begins with the name of the variable. The sentence never
 * contains the user or the password.
 */
export type AddressCheck = (text: string) => string | null;

const PORT_MAX = 65_535;
const HOST_NAME = /^[a-z0-9_][a-z0-9_-]*(\.[a-z0-9_][a-z0-9_-]*)*\.?$/i;

export const isHostName = (text: string): boolean =>
  HOST_NAME.test(text) && !isHostNameTooLong(text);

/** Checks a URL, which must have a host. */
export const checkUrl =
  (example: string): AddressCheck =>
  (text) =>
    URL.canParse(text) && new URL(text).hostname !== ''
      ? null
      : `is not a complete address: write it as ${example}`;

/** Checks the base URL of pages. Paths are appended to it. */
export const checkBaseUrl =
  (example: string): AddressCheck =>
  (text) =>
    checkUrl(example)(text) ??
    (/[?#]/.test(text) ? `must end before a ? or #: write it as ${example}` : null);

const SSL_MODES = ['disable', 'prefer', 'require', 'verify-ca', 'verify-full', 'no-verify'];
const SSL_FILES = ['sslrootcert', 'sslcert', 'sslkey'];

/**
 * Checks the URL of the SQL database. For a connection by socket, the host may be missing or be
 * given as a parameter.
 */
export const checkDatabaseUrl: AddressCheck = (text) => {
  const incomplete =
    'is not a complete address: write it as postgres://user:password@host.example:5432/database';
  const url = text.replace('@/', '@localhost/');
  if (!URL.canParse(url)) return incomplete;
  const { hostname, pathname, searchParams } = new URL(url);
  if (hostname === '' && pathname.length <= 1 && !searchParams.has('host')) return incomplete;
  const mode = searchParams.get('sslmode');
  if (mode !== null && !SSL_MODES.includes(mode)) {
    return `has the option sslmode=${mode}: write one of ${SSL_MODES.join(', ')}`;
  }
  const files = SSL_FILES.map((name) => [name, searchParams.get(name)] as const);
  return findFirst(files, ([name, path]) => (path === null ? null : checkFile(name, path)));
};

const STORE_EXAMPLE = 'esdb://user:password@host.example:2113?tlsCAFile=/path/ca.crt';
/** The groups are the user with the password, the hosts, and the options. */
const STORE_URL_PATTERN = /^esdb(?:\+discover)?:\/\/([^/?@]*(?::[^@]*)?@)?([^/?@]+)\/?(?:\?(.*))?$/;

/** Checks the URL of the event store: several hosts for a cluster, followed by options. */
export const checkStoreUrl: AddressCheck = (text) => {
  const [, user, hosts, options = ''] = STORE_URL_PATTERN.exec(text) ?? [];
  if (hosts === undefined) return `is not a complete address: write it as ${STORE_EXAMPLE}`;
  return (
    checkUser(user) ??
    findFirst(hosts.split(','), checkStoreHost) ??
    checkStoreOptions(options === '' ? [] : options.split('&'))
  );
};

const checkUser = (user: string | undefined): string | null => {
  if (user === undefined) return null;
  if (!/^[^:@]+:[^@]+@$/.test(user)) {
    return 'must name a user and a password as user:password@, with %40 for an @ and %2F for a / in them';
  }
  return isDecodable(user) ? null : INVALID_ESCAPE;
};

const checkStoreHost = (member: string): string | null => {
  const [host = '', port, rest] = member.split(':');
  if (rest !== undefined || !(isIPv4(host) || isHostName(host))) {
    return `names "${member}", which is no host with a port: write it as ${STORE_EXAMPLE}`;
  }
  const isPort =
    /^\d+$/.test(port ?? '1') && Number(port ?? 1) <= PORT_MAX && Number(port ?? 1) > 0;
  return isPort ? null : `names the port ${port}: it must be a whole number from 1 to ${PORT_MAX}`;
};

const checkBoolean = (name: string, value: string): string | null =>
  ['true', 'false'].includes(value) ? null : `has the option ${name}=${value}: write true or false`;

const checkInteger = (name: string, value: string): string | null =>
  /^-?\d+$/.test(value) ? null : `has the option ${name}=${value}: write a whole number`;

const checkPreference = (name: string, value: string): string | null => {
  const preferences = ['leader', 'follower', 'read_only_replica', 'random'];
  return preferences.some((each) => isSameName(each, value))
    ? null
    : `has the option ${name}=${value}: write one of ${preferences.join(', ')}`;
};

const checkFile = (name: string, path: string): string | null => {
  const unreadable = describeUnreadable(path);
  return unreadable === null ? null : `has the option ${name} with ${unreadable}`;
};

/** The options that the client of the event store reads. It ignores others. */
const STORE_OPTIONS: Readonly<Record<string, (name: string, value: string) => string | null>> = {
  tls: checkBoolean,
  tlsCAFile: checkFile,
  tlsVerifyCert: checkBoolean,
  userCertFile: checkFile,
  userKeyFile: checkFile,
  nodePreference: checkPreference,
  connectionName: () => null,
  defaultDeadline: checkInteger,
  discoveryInterval: checkInteger,
  gossipTimeout: checkInteger,
  keepAliveInterval: checkInteger,
  keepAliveTimeout: checkInteger,
  maxDiscoverAttempts: checkInteger,
  throwOnAppendFailure: checkBoolean,
};

const INVALID_ESCAPE = 'has a % that begins no escape sequence: write %25 for a %';

const checkStoreOptions = (options: readonly string[]): string | null => {
  const problem = findFirst(options, checkStoreOption);
  if (problem !== null) return problem;
  const hasOption = (name: string): boolean =>
    options.some((option) => isSameName(option.split('=')[0] ?? '', name));
  return hasOption('userCertFile') === hasOption('userKeyFile')
    ? null
    : 'must have the options userCertFile and userKeyFile together';
};

const checkStoreOption = (option: string): string | null => {
  const [name = '', value = '', rest] = option.split('=');
  if (name === '' || value === '' || rest !== undefined) {
    return `has the option "${option}" without a value: write it as name=value, such as tls=false`;
  }
  if (!isDecodable(value)) return INVALID_ESCAPE;
  const known = Object.entries(STORE_OPTIONS).find(([each]) => isSameName(each, name));
  if (known !== undefined) return known[1](known[0], decodeURIComponent(value));
  return `has the option "${name}", which does not exist: write one of ${Object.keys(STORE_OPTIONS).join(', ')}`;
};

/** True if the two names are the same option for the client. It ignores case, `_` and `-`. */
const isSameName = (one: string, other: string): boolean =>
  normalizeOptionName(one) === normalizeOptionName(other);

const normalizeOptionName = (name: string): string =>
  name.trim().toLowerCase().replaceAll(/[_-]/g, '');

const isDecodable = (text: string): boolean => {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
};

const findFirst = <T>(things: readonly T[], check: (thing: T) => string | null): string | null => {
  for (const thing of things) {
    const problem = check(thing);
    if (problem !== null) return problem;
  }
  return null;
};
