import { IDEMPOTENCY_KEY } from '../fields/header-patterns';
import { createHash } from 'node:crypto';
import type { MasterKey } from '../../event-store/master-key';
import type { Vault } from '../../event-store/vault';
import { toCanonicalJson } from '../../kernel/canonical-json';
import { DomainError } from '../../kernel/errors';
import type { Instant } from '../../kernel/time';
import type { Database } from '../../read-models/database';
import { deleteOutdated } from '../../read-models/prune';
import { newRequestId } from '../../event-store/entropy';
import { createErrorBody } from './error-body';
import { ERROR_TABLE } from './error-table';

const WINDOW = "interval '24 hours'";
/**
 * The time in seconds for which an interrupted request keeps its key. After that a repeat may run
 * under the key.
 */
const LOCK_SECONDS = 60;
const REWRAP_BATCH = 200;
/** Statuses of refusals that are stored and returned to a repeat (D-82). */
const STORED_REFUSALS = new Set([402, 404, 409, 422]);

/** A response as it is stored for repeats. */
export interface StoredResponse {
  readonly status: number;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
  /**
   * The actor that made the request. Responses that an earlier version stored have none, so nobody
   * counts as their maker.
   */
  readonly maker?: string;
}

/** `sealedFor` is the subscriber under whose data key the body is encrypted. */
type KeptResponse = StoredResponse & { readonly sealedFor?: string };

/** Thrown instead of calling the handler if the key of the request has a stored response. */
export class RepeatedRequest extends Error {
  override readonly name = 'RepeatedRequest';

  constructor(readonly response: StoredResponse) {
    super('this request was answered before');
  }
}

/**
 * The decision about a request. `bodyDigest` is the digest of the streamed body that an earlier
 * request of the key sent completely.
 */
export type Admission =
  /** The request runs. `resumed` is true if an earlier run of it may have been interrupted. */
  | {
      readonly kind: 'run';
      readonly acceptedAt: Instant;
      readonly resumed: boolean;
      readonly bodyDigest: string | null;
    }
  | {
      readonly kind: 'repeat';
      readonly response: StoredResponse;
      readonly bodyDigest: string | null;
    };

/** A request that is running under its key. */
export interface RunningRequest extends KeyedRequest {
  readonly resumed: boolean;
}

export interface KeyedRequest {
  readonly scope: string;
  readonly key: string;
  readonly fingerprint: string;
  /**
   * The fingerprint of the same request in an earlier version, which may have stored it within the
   * last 24 hours.
   */
  readonly formerFingerprint: string | null;
}

interface KeyRow {
  readonly fingerprint: string;
  readonly body_digest: string | null;
  readonly accepted_at: Instant;
  readonly locked: boolean;
  readonly status: number | null;
  readonly response: string | null;
}

/**
 * Stores responses by Idempotency-Key for 24 hours. They are encrypted because some contain
 * secrets. The body of a response about one subscriber is also encrypted with that subscriber's
 * data key, so that an erasure makes every copy of it unreadable, including copies in old pages and
 * backups of the database.
 */
export class IdempotencyStore {
  constructor(
    private readonly database: Database,
    private readonly masterKey: MasterKey,
    private readonly vault: Pick<Vault, 'sealText' | 'openText'>,
  ) {}

  async admit(request: KeyedRequest, now: Instant): Promise<Admission> {
    const { scope, key, fingerprint } = request;
    const [taken] = await this.database.query<{ accepted_at: Instant }>({
      name: 'take idempotency key',
      text: `insert into idempotency as i (scope, key, fingerprint, accepted_at, locked_until)
        values ($1, $2, $3, $4, now() + interval '${LOCK_SECONDS} seconds')
        on conflict (scope, key) do update set fingerprint = excluded.fingerprint,
          accepted_at = excluded.accepted_at, locked_until = excluded.locked_until,
          status = null, response = null, body_digest = null
          where i.accepted_at < excluded.accepted_at - ${WINDOW}
        returning accepted_at`,
      values: [scope, key, fingerprint, now],
    });
    if (taken !== undefined) {
      return { kind: 'run', acceptedAt: taken.accepted_at, resumed: false, bodyDigest: null };
    }
    return this.admitKnown(request, now);
  }

  /** Extends the lock of a request whose body is still arriving, so that no repeat gets the key. */
  async extendLock({ scope, key }: KeyedRequest): Promise<void> {
    await this.database.query({
      name: 'hold idempotency key',
      text: `update idempotency set locked_until = now() + interval '${LOCK_SECONDS} seconds'
        where scope = $1 and key = $2 and status is null`,
      values: [scope, key],
    });
  }

  /** Stores the digest of a streamed body before the handler can act on the whole body. */
  async storeBodyDigest({ scope, key }: KeyedRequest, digest: string): Promise<void> {
    await this.database.query({
      name: 'note body of idempotency key',
      text: `update idempotency set body_digest = $3
        where scope = $1 and key = $2 and status is null`,
      values: [scope, key, digest],
    });
  }

  /**
   * Ends all locks, which a killed process has left, so that repeats of its requests run at once.
   * Only the single process of a service may do it, before it admits requests.
   */
  async unlockAll(): Promise<void> {
    await this.database.query({
      name: 'unlock all idempotency keys',
      text: 'update idempotency set locked_until = now() where status is null and locked_until > now()',
    });
  }

  /** Ends the lock, so that a repeat may run at once, with the same command id and time. */
  async unlock({ scope, key }: KeyedRequest): Promise<void> {
    await this.database.query({
      name: 'unlock idempotency key',
      text: `update idempotency set locked_until = now()
        where scope = $1 and key = $2 and status is null`,
      values: [scope, key],
    });
  }

  /**
   * Frees the key of a request that had no effect. The key stays if an interrupted run before it may
   * have had one.
   */
  release(request: RunningRequest): Promise<void> {
    return request.resumed ? this.unlock(request) : this.releaseKey(request);
  }

  /**
   * Stores the response and the digest of a streamed body for repeats, or releases the key if a
   * repeat should run again.
   */
  async finish(
    request: RunningRequest,
    response: StoredResponse,
    bodyDigest: string | null,
  ): Promise<void> {
    const { scope, key } = request;
    const keeps = response.status < 300 || STORED_REFUSALS.has(response.status);
    if (!keeps) {
      // The request may have appended its events although it failed. So the key stays, and a repeat
      // looks for them.
      await (response.status >= 500 ? this.unlock(request) : this.release(request));
      return;
    }
    const [subscriberId = null, ...more] = findSubscriberIds(response);
    const kept =
      subscriberId === null || more.length > 0
        ? response
        : await this.sealFor(subscriberId, response);
    const sealed = await this.masterKey.seal(JSON.stringify(kept), createContext(request));
    await this.database.query({
      name: 'settle idempotency key',
      text: `update idempotency set status = $3, response = $4, locked_until = null,
          subscriber_id = $5, more_subscriber_ids = $6, body_digest = $7
        where scope = $1 and key = $2`,
      values: [
        scope,
        key,
        response.status,
        sealed,
        subscriberId,
        more.length > 0 ? more : null,
        bodyDigest,
      ],
    });
  }

  /**
   * Replaces the stored responses about an erased subscriber, for all callers, by the error of an
   * erased subscriber. The time of a response does not show whether it is from before the erasure:
   * with a test clock the erasure has simulated time, and requests have real time.
   */
  async forget(subscriberId: string): Promise<void> {
    for (const { scope, key } of await this.listAnswersAbout(subscriberId)) {
      const response = await this.masterKey.seal(
        JSON.stringify(createErasedResponse()),
        createContext({ scope, key }),
      );
      await this.database.query({
        text: `update idempotency set status = $3, response = $4, subscriber_id = null,
            more_subscriber_ids = null
          where scope = $1 and key = $2`,
        values: [scope, key, ERASED_STATUS, response],
      });
    }
  }

  /**
   * Returns the keys whose responses contain data of a subscriber. The response of the erasure
   * itself does not count.
   */
  async listAnswersAbout(subscriberId: string): Promise<Pick<KeyedRequest, 'scope' | 'key'>[]> {
    const rows = await this.database.query<{ scope: string; key: string; response: string }>({
      text: `select scope, key, response from idempotency
        where (subscriber_id = $1 or (more_subscriber_ids is not null and more_subscriber_ids @> $2))
          and response is not null`,
      values: [subscriberId, [subscriberId]],
    });
    return rows
      .filter(({ response, ...keyed }) => !isErasureAnswer(this.unwrap(response, keyed)))
      .map(({ scope, key }) => ({ scope, key }));
  }

  /**
   * Re-encrypts stored responses under the current master key. Returns the number of responses that
   * were under another key.
   */
  async rewrap(signal: AbortSignal): Promise<number> {
    let count = 0;
    while (!signal.aborted) {
      await this.masterKey.proveCurrent();
      const rows = await this.database.query<{ scope: string; key: string; response: string }>({
        text: `select scope, key, response from idempotency
          where response is not null and not starts_with(response, $1) limit $2`,
        values: [`${this.masterKey.id}.`, REWRAP_BATCH],
      });
      for (const { scope, key, response } of rows) {
        await this.database.query({
          text: `update idempotency set response = $4
            where scope = $1 and key = $2 and response = $3`,
          values: [
            scope,
            key,
            response,
            this.masterKey.rewrap(response, createContext({ scope, key })),
          ],
        });
      }
      count += rows.length;
      if (rows.length < REWRAP_BATCH) break;
    }
    return count;
  }

  /** Deletes keys that are older than 24 hours. */
  async prune(signal: AbortSignal): Promise<void> {
    const outdated = { table: 'idempotency', age: 'accepted_at', before: `now() - ${WINDOW}` };
    await deleteOutdated(this.database, outdated, signal);
  }

  private async releaseKey({ scope, key }: KeyedRequest): Promise<void> {
    await this.database.query({
      name: 'free idempotency key',
      text: 'delete from idempotency where scope = $1 and key = $2 and status is null',
      values: [scope, key],
    });
  }

  private async admitKnown(request: KeyedRequest, now: Instant): Promise<Admission> {
    const { scope, key, fingerprint, formerFingerprint } = request;
    const [row] = await this.database.query<KeyRow>({
      name: 'read idempotency key',
      text: `select fingerprint, body_digest, accepted_at, coalesce(locked_until > now(), false) as locked,
          status, response from idempotency where scope = $1 and key = $2`,
      values: [scope, key],
    });
    // The key was released between the two statements.
    if (row === undefined) return this.admit(request, now);
    if (![fingerprint, formerFingerprint].includes(row.fingerprint)) throw keyReusedError();
    const { body_digest: bodyDigest } = row;
    if (row.response !== null)
      return { kind: 'repeat', response: await this.open(row.response, request), bodyDigest };
    if (row.locked || !(await this.takeOverLock(request))) throw keyInUseError();
    return { kind: 'run', acceptedAt: row.accepted_at, resumed: true, bodyDigest };
  }

  private async takeOverLock({ scope, key }: KeyedRequest): Promise<boolean> {
    const rows = await this.database.query({
      name: 'take over idempotency key',
      text: `update idempotency set locked_until = now() + interval '${LOCK_SECONDS} seconds'
        where scope = $1 and key = $2 and status is null and locked_until <= now() returning 1`,
      values: [scope, key],
    });
    return rows.length > 0;
  }

  private async sealFor(subscriberId: string, response: StoredResponse): Promise<KeptResponse> {
    const body = await this.vault.sealText(subscriberId, response.body);
    // There is no data key after an erasure, and a response that was made then contains nothing
    // personal.
    return body === null ? response : { ...response, body, sealedFor: subscriberId };
  }

  private async open(
    text: string,
    request: Pick<KeyedRequest, 'scope' | 'key'>,
  ): Promise<StoredResponse> {
    const { sealedFor, ...response } = this.unwrap(text, request);
    if (sealedFor === undefined) return response;
    const body = await this.vault.openText(sealedFor, response.body);
    return body === null ? createErasedResponse() : { ...response, body };
  }

  private unwrap(text: string, request: Pick<KeyedRequest, 'scope' | 'key'>): KeptResponse {
    return JSON.parse(
      this.masterKey.unwrap(text, createContext(request)).toString(),
    ) as KeptResponse;
  }
}

const SUBSCRIBER_IDS = /\bsubscriber_[0-9a-z]{16}\b/g;

/** Returns the subscribers whose data a response may contain. */
const findSubscriberIds = ({ body }: StoredResponse): string[] => [
  ...new Set(body.match(SUBSCRIBER_IDS)),
];

const ERASED_STATUS = ERROR_TABLE.subscriber_erased.status;

const createErasedResponse = (): StoredResponse => ({
  status: ERASED_STATUS,
  body: JSON.stringify(createErrorBody(erasedError(), newRequestId())),
  headers: { 'content-type': 'application/json' },
});

/** True for the response of an erasure or its event. They contain no personal data. */
const isErasureAnswer = ({ body, sealedFor }: KeptResponse): boolean => {
  if (sealedFor !== undefined) return false;
  const answer = JSON.parse(body === '' ? '{}' : body) as {
    erased_at?: unknown;
    data?: { erased_at?: unknown };
  };
  return typeof (answer.erased_at ?? answer.data?.erased_at) === 'string';
};

const createContext = ({ scope, key }: Pick<KeyedRequest, 'scope' | 'key'>): string =>
  `idempotency ${scope} ${key}`;

const erasedError = (): DomainError =>
  new DomainError(
    'subscriber_erased',
    'The subscriber was erased, and this stored answer with it.',
  );

/** The header that the refusals of a key name as their `param`. */
const KEY_HEADER = 'Idempotency-Key';

export const keyReusedError = (): DomainError =>
  new DomainError(
    'idempotency_key_reused',
    'This Idempotency-Key was used for a different request within the last 24 hours. Use a new key for this request, or repeat the first request unchanged.',
    { param: KEY_HEADER },
  );

const keyInUseError = (): DomainError =>
  new DomainError(
    'idempotency_key_in_use',
    'A request with this Idempotency-Key is still running.',
    { param: KEY_HEADER },
  );

/** Returns the value of the header, or null if it is absent. */
export const readIdempotencyKey = (header: string | string[] | undefined): string | null => {
  if (header === undefined) return null;
  if (typeof header === 'string' && IDEMPOTENCY_KEY.test(header)) return header;
  throw new DomainError(
    'idempotency_key_invalid',
    'The Idempotency-Key must have 1 to 255 printable characters.',
    { param: KEY_HEADER },
  );
};

interface Fingerprinted {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly body: unknown;
}

/**
 * Computes the identity of a request from method, path, raw query and body. The order of the body's
 * keys does not matter.
 */
export const computeFingerprint = ({ method, path, query, body }: Fingerprinted): string =>
  createHash('sha256')
    .update([method, path, query, toCanonicalJson(body ?? null)].join('\n'))
    .digest('hex');
