import { WebhookVerificationError } from './errors';
import type { EventOf, PrivacyMode } from './events';

/** Headers of a request: the `Headers` of fetch, or the object that Node gives. */
export type HeadersLike =
  | { get(name: string): string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>;

/** The facts of a delivery, from its headers. */
export interface WebhookDelivery {
  readonly eventId: string;
  readonly eventType: string;
  readonly schemaVersion: string;
  readonly destinationId: string;
  /** The number of the attempt, beginning with 1. */
  readonly attempt: number;
  /** The time of this attempt. */
  readonly sentAt: Date;
  /** The replay that sent the event; null for live deliveries. */
  readonly replay: {
    readonly id: string;
    readonly attempt: number;
    readonly dedupe: string;
  } | null;
  /** True if the event contains less than in its first delivery. */
  readonly redacted: boolean;
}

export interface Unwrapped<Mode extends PrivacyMode> {
  readonly event: EventOf<Mode>;
  readonly delivery: WebhookDelivery;
}

export interface UnwrapOptions {
  /** The signing secrets to use instead of those of the client. */
  readonly secrets?: string | readonly string[];
  /**
   * Maximum difference in seconds between the time of the attempt and now. The default is 300. Use
   * `Infinity` for stored attempts.
   */
  readonly toleranceSeconds?: number;
  /** The time that counts as now. The default is the current time. */
  readonly now?: Date;
}

export interface SignOptions {
  readonly secrets?: string | readonly string[];
  readonly now?: Date;
  readonly attempt?: number;
  readonly destinationId?: string;
}

/** `whsec_` and base64. */
const SECRET = /^whsec_(?=[^=]+={0,2}$)([a-z\d+/=]{4})+$/i;
const encoder = new TextEncoder();

/** Verifies deliveries, and signs them for tests. */
export class Webhooks {
  private readonly secrets: readonly string[];

  constructor(secrets: string | readonly string[]) {
    this.secrets = toList(secrets);
  }

  /**
   * Returns the event of a delivery, after its signatures were verified. Pass the body as it was
   * received: after parsing and formatting it would have other bytes.
   */
  async unwrap<Mode extends PrivacyMode = 'full'>(
    rawBody: string | Uint8Array,
    headers: HeadersLike,
    options: UnwrapOptions = {},
  ): Promise<Unwrapped<Mode>> {
    const read = createHeaderReader(headers);
    const body = decodeBody(rawBody);
    const secrets = this.chooseSecrets(options.secrets);
    const sentAt = await verifyStandard(body, read, secrets, options);
    await verifyStable(body, read, secrets);
    const event = JSON.parse(body) as EventOf<Mode>;
    if (event.id !== read('webhook-id'))
      throw new WebhookVerificationError('id', 'the event has another id');
    return { event, delivery: readDelivery(read, sentAt) };
  }

  /** Returns the headers and the body that the service would send for an event. */
  async sign(
    event: object | string,
    options: SignOptions = {},
  ): Promise<{ body: string; headers: Record<string, string> }> {
    const body = typeof event === 'string' ? event : JSON.stringify(event);
    const facts = JSON.parse(body) as {
      id: string;
      type: string;
      created_at: string;
      schema_version?: string;
    };
    const secrets = this.chooseSecrets(options.secrets);
    const sent = toSeconds(options.now ?? new Date());
    const happened = toSeconds(new Date(facts.created_at));
    const signAll = (sign: Signer, time: number): Promise<string[]> =>
      Promise.all(secrets.map((secret) => sign(secret, `${facts.id}.${time}.${body}`)));
    return {
      body,
      headers: {
        'content-type': 'application/json',
        'x-service-event-id': facts.id,
        'x-service-event-type': facts.type,
        'x-service-schema-version': facts.schema_version ?? 'v1',
        'x-service-attempt': String(options.attempt ?? 1),
        'x-service-destination-id': options.destinationId ?? 'dest_test',
        'x-service-signature': [`t=${happened}`, ...(await signAll(signStable, happened))].join(
          ',',
        ),
        'webhook-id': facts.id,
        'webhook-timestamp': String(sent),
        'webhook-signature': (await signAll(signStandard, sent)).join(' '),
      },
    };
  }

  private chooseSecrets(given: string | readonly string[] | undefined): readonly string[] {
    const secrets = toList(given ?? this.secrets);
    if (secrets.length > 0) return secrets;
    throw new TypeError('pass webhookSecrets to the client');
  }
}

type Signer = (secret: string, text: string) => Promise<string>;
type HeaderReader = (name: string) => string;

/**
 * Verifies `webhook-signature` of Standard Webhooks, which differs for each attempt. Returns the
 * time of the attempt.
 */
const verifyStandard = async (
  body: string,
  read: HeaderReader,
  secrets: readonly string[],
  { toleranceSeconds = 300, now = new Date() }: UnwrapOptions,
): Promise<Date> => {
  const sent = read('webhook-timestamp');
  const given = read('webhook-signature');
  if (given === '' || !/^\d{1,12}$/.test(sent))
    throw new WebhookVerificationError('headers', 'no signature');
  if (Math.abs(toSeconds(now) - Number(sent)) > toleranceSeconds)
    throw new WebhookVerificationError('timestamp', 'too old or too new');
  const signed = `${read('webhook-id')}.${sent}.${body}`;
  await requireSignature('webhook-signature', given.split(' '), secrets, signStandard, signed);
  return new Date(Number(sent) * 1000);
};

/**
 * Verifies `X-Service-Signature`, if the request has it. It is the same for retries and replays.
 */
const verifyStable = async (
  body: string,
  read: HeaderReader,
  secrets: readonly string[],
): Promise<void> => {
  const header = read('x-service-signature');
  if (header === '') return;
  const [time = '', ...given] = header.split(',');
  const signed = `${read('webhook-id')}.${time.slice('t='.length)}.${body}`;
  await requireSignature('X-Service-Signature', given, secrets, signStable, signed);
};

/** Throws if none of the given signatures is that of one of the secrets. */
const requireSignature = async (
  header: string,
  given: readonly string[],
  secrets: readonly string[],
  sign: Signer,
  text: string,
): Promise<void> => {
  for (const secret of secrets) {
    const right = await sign(secret, text);
    if (given.some((each) => areEqual(each, right))) return;
  }
  throw new WebhookVerificationError('signature', `${header} is wrong`);
};

const readDelivery = (read: HeaderReader, sentAt: Date): WebhookDelivery => {
  const replayId = read('x-service-replay-id');
  return {
    eventId: read('webhook-id'),
    eventType: read('x-service-event-type'),
    schemaVersion: read('x-service-schema-version'),
    destinationId: read('x-service-destination-id'),
    attempt: Number(read('x-service-attempt')) || 1,
    sentAt,
    replay:
      replayId === ''
        ? null
        : {
            id: replayId,
            attempt: Number(read('x-service-replay-attempt')) || 1,
            dedupe: read('x-service-replay-dedupe'),
          },
    redacted: read('x-service-redacted') === 'true',
  };
};

/** Returns a function that reads a header by its name in any case. A missing header is ''. */
const createHeaderReader = (headers: HeadersLike): HeaderReader => {
  if (typeof headers.get === 'function') {
    const found = headers as { get(name: string): string | null };
    return (name) => found.get(name) ?? '';
  }
  const byName = new Map(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
  );
  return (name) => String([byName.get(name) ?? ''].flat()[0]);
};

/** Signs a text as in `webhook-signature`. */
const signStandard: Signer = async (secret, text) =>
  `v1,${encodeBase64(await computeMac(decodeBase64(secret.slice('whsec_'.length)), text))}`;

/** Signs a text as in `X-Service-Signature`. */
const signStable: Signer = async (secret, text) =>
  `v1=${encodeHex(await computeMac(encoder.encode(secret), text))}`;

const computeMac = async (key: Uint8Array<ArrayBuffer>, text: string): Promise<Uint8Array> => {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const imported = await crypto.subtle.importKey('raw', key, algorithm, false, ['sign']);
  return new Uint8Array(await crypto.subtle.sign('HMAC', imported, encoder.encode(text)));
};

/** Compares two signatures in constant time. */
const areEqual = (a: string, b: string): boolean => {
  let difference = a.length ^ b.length;
  for (let i = 0; i < a.length; i += 1) difference |= a.charCodeAt(i) ^ b.charCodeAt(i);
  return difference === 0;
};

const decodeBase64 = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
const encodeBase64 = (bytes: Uint8Array): string => btoa(String.fromCharCode(...bytes));
const encodeHex = (bytes: Uint8Array): string =>
  [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
const toSeconds = (at: Date): number => Math.floor(at.getTime() / 1000);
/** Returns the secrets as a list. The message does not repeat a malformed one: it may be secret. */
const toList = (secrets: string | readonly string[]): readonly string[] =>
  [secrets].flat().map((secret, i) => {
    if (SECRET.test(secret)) return secret;
    throw new TypeError(`webhookSecrets[${i}] is malformed`);
  });
/** Returns the text of a body. A parsed body is refused, because it has lost its bytes. */
const decodeBody = (body: string | Uint8Array | undefined): string => {
  if (typeof body === 'string') return body;
  if (body?.byteLength !== undefined) return new TextDecoder().decode(body);
  throw new TypeError('pass the raw body (text or bytes)');
};
