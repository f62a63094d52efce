import { readFileSync, statSync } from 'node:fs';
import { BlockList, isIP } from 'node:net';
import { createSecureContext } from 'node:tls';
import { OTLP_PROTOCOLS, SAMPLERS, type TracingSettings } from '../ops/tracing-settings';

export type Role = 'api' | 'projector' | 'dispatcher' | 'replayer' | 'timers';
const ROLES: readonly Role[] = ['api', 'projector', 'dispatcher', 'replayer', 'timers'];

export type Env = Readonly<Record<string, string | undefined>>;

/** The paths of a certificate and its key. */
export interface TlsFiles {
  readonly certFile: string;
  readonly keyFile: string;
}

/** Reads variables and collects all problems instead of stopping at the first one. */
export class EnvironmentReader {
  readonly problems: string[] = [];

  private readonly env: Env;

  constructor(given: Env) {
    this.env = { ...given, ...this.readSecretFiles(given) };
  }

  readText(name: string): string | undefined {
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

  /** Reads a URL. `isWhole` checks the complete text, whose protocol is already checked. */
  readUrl(
    name: string,
    protocols: readonly string[],
    isWhole: (text: string) => boolean,
  ): string | undefined {
    const text = this.readText(name);
    if (text === undefined) return text;
    if (!protocols.some((protocol) => text.startsWith(`${protocol}://`))) {
      const starts = protocols.map((protocol) => `${protocol}://`).join(' or ');
      return this.refuse<string | undefined>(name, `must start with ${starts}`, undefined);
    }
    if (isWhole(text)) return text;
    return this.refuse<string | undefined>(name, 'is not a complete address', undefined);
  }

  readHost(name: string, fallback: string): string {
    const text = this.readText(name) ?? fallback;
    if (isIP(text) !== 0 || (HOST_NAME.test(text) && text.length <= 253)) return text;
    return this.refuse(name, 'must be an IP address or a host name', fallback);
  }

  readSender(name: string, fallback: string): string {
    const text = this.readText(name) ?? fallback;
    if (SENDER.test(text)) return text;
    return this.refuse(name, 'must be an e-mail address, or a name and <address>', fallback);
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

  readDirectory(name: string, fallback: string): string {
    const path = this.readText(name) ?? fallback;
    return isDirectoryOrNew(path) ? path : this.refuse(name, 'must be a directory', fallback);
  }

  /**
   * Reads seconds separated by commas. Each is at most 48 h, so that a typing error does not cause
   * a silent outage.
   */
  schedule(name: string, fallback: readonly number[]): readonly number[] {
    const text = this.readText(name);
    if (text === undefined) return fallback;
    const parts = text.split(',').map((part) => part.trim());
    const valid = parts.every((part) => /^\d+(\.\d+)?$/.test(part) && Number(part) <= 172_800);
    if (valid && parts.length <= 30) return parts.map(Number);
    return this.refuse(name, 'must be seconds separated by commas, for example 0,5,300', fallback);
  }

  readOneOf<T extends string>(name: string, allowed: readonly T[], fallback: T): T {
    const text = this.readText(name) ?? fallback;
    const found = allowed.find((each) => each === text);
    if (found !== undefined) return found;
    return this.refuse(name, `must be one of ${allowed.join(', ')}`, fallback);
  }

  /** The standard variables of OpenTelemetry, as far as the service and not the library reads them. */
  readTracing(): TracingSettings | undefined {
    const exporter = this.readOneOf('OTEL_TRACES_EXPORTER', ['otlp', 'none'], 'otlp');
    const settings = { protocol: this.readOtlpProtocol(), ...this.readSampler() };
    const isAsked = ['OTEL_EXPORTER_OTLP_ENDPOINT', 'OTEL_TRACES_EXPORTER'].some(
      (name) => this.readText(name) !== undefined,
    );
    const isDisabled = this.readFlag('OTEL_SDK_DISABLED', false);
    return isAsked && exporter === 'otlp' && !isDisabled ? settings : undefined;
  }

  private readOtlpProtocol(): TracingSettings['protocol'] {
    const general = this.readOneOf('OTEL_EXPORTER_OTLP_PROTOCOL', OTLP_PROTOCOLS, 'http/protobuf');
    return this.readOneOf('OTEL_EXPORTER_OTLP_TRACES_PROTOCOL', OTLP_PROTOCOLS, general);
  }

  private readSampler(): Pick<TracingSettings, 'sampler' | 'ratio'> {
    const isNamed = this.readText('OTEL_TRACES_SAMPLER') !== undefined;
    const sampler = this.readOneOf('OTEL_TRACES_SAMPLER', SAMPLERS, 'parentbased_traceidratio');
    const ratio = Number(
      this.readText('OTEL_TRACES_SAMPLER_ARG') ?? (isNamed ? 1 : TRACES_SAMPLED),
    );
    if (ratio >= 0 && ratio <= 1) return { sampler, ratio };
    return this.refuse('OTEL_TRACES_SAMPLER_ARG', 'must be a number from 0 to 1', {
      sampler,
      ratio: TRACES_SAMPLED,
    });
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
    return (this.readText(name) ?? 'auto') === 'auto'
      ? 'auto'
      : this.readInteger(name, 1, [1, PROCESSES_MAX]);
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
      } else return this.refuse(name, `has "${entry}", which is no address or CIDR range`, list);
    }
    return list;
  }

  /**
   * Reads the files of a certificate and its key: both or neither, and the key must belong to the
   * certificate.
   */
  readCertificate(certName: string, keyName: string): TlsFiles | undefined {
    const [certFile, keyFile] = [this.readText(certName), this.readText(keyName)];
    if (certFile === undefined && keyFile === undefined) return undefined;
    if (certFile === undefined || keyFile === undefined) {
      return this.refuse<TlsFiles | undefined>(
        certName,
        `and ${keyName} must be set together`,
        undefined,
      );
    }
    try {
      createSecureContext({ cert: readFileSync(certFile), key: readFileSync(keyFile) });
    } catch (error) {
      const { message } = error as Error;
      return this.refuse<TlsFiles | undefined>(
        certName,
        `and ${keyName} cannot be used: ${message}`,
        undefined,
      );
    }
    return { certFile, keyFile };
  }

  /** Reads a secret. A short or monotonous one can be guessed and is refused. */
  readToken(name: string): string | undefined {
    const text = this.readText(name);
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
