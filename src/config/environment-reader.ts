import { readFileSync, statSync } from 'node:fs';
import { BlockList, isIP } from 'node:net';
import { type AddressCheck, isHostName } from './addresses';
import { findCertificateProblem, type TlsFiles } from './certificate';
import { describeUnreadable } from './readable-file';
import { findTokenFlaw } from './strong-token';

export type Role = 'api' | 'projector' | 'dispatcher' | 'replayer' | 'timers';
const ROLES: readonly Role[] = ['api', 'projector', 'dispatcher', 'replayer', 'timers'];

export type Env = Readonly<Record<string, string | undefined>>;

/** Reads variables and collects all problems instead of stopping at the first one. */
export class EnvironmentReader {
  readonly problems: string[] = [];

  private readonly mounted: Env;

  constructor(private readonly env: Env) {
    this.mounted = this.readSecretFiles(env);
  }

  readText(name: string): string | undefined {
    const value = (this.mounted[name] ?? this.env[name])?.trim();
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
    const unreadable = describeUnreadable(file);
    if (unreadable !== null) return this.refuse(`${name}_FILE`, `names ${unreadable}`, '');
    const text = readFileSync(file, 'utf8').trim();
    if (text !== '') return text;
    const empty = `names ${file}, which is empty: write the value of ${name} into it`;
    return this.refuse(`${name}_FILE`, empty, '');
  }

  readInteger(name: string, fallback: number, [min, max]: readonly [number, number]): number {
    const text = this.readText(name);
    if (text === undefined) return fallback;
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= min && value <= max) return value;
    return this.refuse(name, `must be a whole number from ${min} to ${max}`, fallback);
  }

  readFlag(name: string, fallback: boolean): boolean {
    const text = this.readText(name) ?? String(fallback);
    if (text === 'true' || text === 'false') return text === 'true';
    return this.refuse(name, 'must be true or false', fallback);
  }

  /** Reads a URL. Its protocol is checked first, then `check` gets the complete text. */
  readUrl(name: string, protocols: readonly string[], check: AddressCheck): string | undefined {
    const text = this.readText(name);
    if (text === undefined) return text;
    if (!protocols.some((protocol) => text.startsWith(`${protocol}://`))) {
      const starts = protocols.map((protocol) => `${protocol}://`).join(' or ');
      return this.refuse<string | undefined>(name, `must start with ${starts}`, undefined);
    }
    const problem = check(text);
    return problem === null ? text : this.refuse<string | undefined>(name, problem, undefined);
  }

  readHost(name: string, fallback: string): string {
    const text = this.readText(name) ?? fallback;
    if (isIP(text) !== 0 || isHostName(text)) return text;
    const problem =
      'must be an IP address or a host name without a port, for example 127.0.0.1, or 0.0.0.0 for all addresses';
    return this.refuse(name, problem, fallback);
  }

  readSender(name: string, fallback: string): string {
    const text = this.readText(name) ?? fallback;
    if (SENDER_PATTERN.test(text)) return text;
    return this.refuse(
      name,
      'must be an e-mail address such as events@example.com, or a name and <address>',
      fallback,
    );
  }

  /** Reads origins such as `https://app.example.com`, separated by spaces or commas. */
  readOrigins(name: string): readonly string[] {
    const origins = this.readWords(name);
    const isOrigin = (text: string): boolean =>
      /^https?:\/\//.test(text) && URL.canParse(text) && new URL(text).origin === text;
    if (origins.every(isOrigin)) return origins;
    return this.refuse<readonly string[]>(
      name,
      'must be origins such as https://app.example.com, without a path',
      [],
    );
  }

  readWords(name: string): readonly string[] {
    return (this.readText(name) ?? '').split(/[\s,]+/).filter((word) => word !== '');
  }

  /**
   * Checks that a variable contains pairs such as `team=blue,tier=1`. A library reads the variable
   * itself.
   */
  checkPairs(name: string): void {
    const pairs = (this.readText(name) ?? '').split(',').filter((pair) => pair.trim() !== '');
    if (pairs.every((pair) => /^\s*[^=\s]+\s*=\s*\S/.test(pair))) return;
    this.refuse(name, 'must be name=value pairs separated by commas', undefined);
  }

  /**
   * Checks that a variable contains the path of a readable file. A library reads the variable
   * itself.
   */
  checkFile(name: string): void {
    const file = this.readText(name);
    if (file === undefined) return;
    const unreadable = describeUnreadable(file);
    if (unreadable !== null) this.refuse(name, `names ${unreadable}`, undefined);
  }

  readDirectory(name: string, fallback: string): string {
    const path = this.readText(name) ?? fallback;
    if (isDirectoryOrNew(path)) return path;
    const problem = `must be a directory, which may be missing; ${path} is a file or lies below one`;
    return this.refuse(name, problem, fallback);
  }

  /** Reads seconds separated by commas. */
  schedule(name: string, fallback: readonly number[]): readonly number[] {
    const text = this.readText(name);
    if (text === undefined) return fallback;
    const parts = text.split(',').map((part) => part.trim());
    const valid = parts.every(
      (part) => /^\d+(\.\d+)?$/.test(part) && Number(part) <= DELAY_SECONDS_MAX,
    );
    if (valid && parts.length <= ATTEMPTS_MAX) return parts.map(Number);
    const problem = `must be at most ${ATTEMPTS_MAX} delays of at most ${DELAY_SECONDS_MAX} seconds, separated by commas, for example 0,5,300`;
    return this.refuse(name, problem, fallback);
  }

  readOneOf<T extends string>(name: string, allowed: readonly T[], fallback: T): T {
    const text = this.readText(name) ?? fallback;
    const found = allowed.find((each) => each === text);
    if (found !== undefined) return found;
    return this.refuse(name, `must be one of ${allowed.join(', ')}`, fallback);
  }

  readRoles(name: string): ReadonlySet<Role> {
    const names = (this.readText(name) ?? ROLES.join(',')).split(',').map((part) => part.trim());
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

  readProcesses(name: string): number | 'auto' {
    const text = this.readText(name) ?? 'auto';
    if (text === 'auto') return text;
    const count = Number(text);
    if (/^\d+$/.test(text) && count >= 1 && count <= PROCESSES_MAX) return count;
    const problem = `must be auto or a whole number from 1 to ${PROCESSES_MAX}`;
    return this.refuse<number | 'auto'>(name, problem, 'auto');
  }

  readKeys(name: string, bytes: number): Keys | undefined {
    const text = this.readText(name);
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
  readNetworks(name: string): BlockList {
    const list = new BlockList();
    for (const entry of (this.readText(name) ?? '').split(',').map((each) => each.trim())) {
      const [address = '', bits = isIP(address) === 6 ? '128' : '32', rest] = entry.split('/');
      const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
      const fits = /^\d{1,3}$/.test(bits) && Number(bits) <= (family === 'ipv6' ? 128 : 32);
      if (entry === '') continue;
      if (isIP(address) !== 0 && fits && rest === undefined) {
        list.addSubnet(address, Number(bits), family);
      } else {
        const problem = `has "${entry}", which is no address or CIDR range: write them as 192.0.2.1,10.0.0.0/8`;
        return this.refuse(name, problem, list);
      }
    }
    return list;
  }

  /**
   * Reads the paths of a certificate and its key. Either both or none must be given, and the key
   * must belong to the certificate.
   */
  readCertificate(): TlsFiles | undefined {
    const [certFile, keyFile] = [this.readText('TLS_CERT'), this.readText('TLS_KEY')];
    if (certFile === undefined && keyFile === undefined) return undefined;
    if (certFile === undefined || keyFile === undefined) {
      const [missing, given] =
        keyFile === undefined ? ['TLS_KEY', 'TLS_CERT'] : ['TLS_CERT', 'TLS_KEY'];
      return this.refuse<TlsFiles | undefined>(
        missing,
        `is required when ${given} is set`,
        undefined,
      );
    }
    const problem = findCertificateProblem({ certFile, keyFile });
    return problem === null
      ? { certFile, keyFile }
      : this.refuse<TlsFiles | undefined>(...problem, undefined);
  }

  /**
   * Reads a secret. A secret that is short or has few different characters can be guessed and is
   * refused.
   */
  readToken(name: string): string | undefined {
    const text = this.readText(name);
    if (text === undefined) return text;
    const flaw = findTokenFlaw(text);
    return flaw === null ? text : this.refuse<string | undefined>(name, flaw, undefined);
  }

  refuse<T>(name: string, reason: string, fallback: T): T {
    this.problems.push(`${name} ${reason}`);
    return fallback;
  }
}

const PROCESSES_MAX = 64;
/** The longest delay of a schedule: two days. A typing error must not stop deliveries unnoticed. */
const DELAY_SECONDS_MAX = 172_800;
const ATTEMPTS_MAX = 30;

type Keys = readonly [Uint8Array, ...Uint8Array[]];

/** Secrets that can also be given as files. */
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

const MAIL_ADDRESS_PATTERN = String.raw`[^\s"<>@,;:]+@[^\s"<>@,;:]+`;
const DISPLAY_NAME = String.raw`(?:"(?:[^"\\]|\\.)*"|[^"<>@,;:]*)`;
const SENDER_PATTERN = new RegExp(
  `^(?:${MAIL_ADDRESS_PATTERN}|${DISPLAY_NAME}\\s*<${MAIL_ADDRESS_PATTERN}>)$`,
);
