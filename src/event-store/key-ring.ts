import { randomBytes, randomUUID } from 'node:crypto';
import { warnOfFailure } from './failures';
import { ConfigError } from '../config/config';
import { DomainError } from '../kernel/errors';
import type { Origin } from '../kernel/scope';
import type { Instant } from '../kernel/time';
import { append, keepOnlyLast, RevisionConflict } from './append';
import { followCategory } from './catch-up';
import type { EventStoreConnection } from './connection';
import type { MasterKey, Rotation } from './master-key';
import { readStream } from './read';
import { resubscribe } from './resubscribe';
import { whenChecked } from './start-check';
import type { StoredEvent } from './stored-event';
import type { JsonObject } from '../kernel/json';
import { categoryStream, streams } from './streams';

const MARK = 'the master key of this log';
const HANDED_ON = 'a master key that is handed on';
const DIGESTS = 'the key of digests';
const KEY_BYTES = 32;

/** Type strings and field names are a storage format: add, never rename. */
const MARKED = 'master_key.marked';
const ROTATION_STARTED = 'master_key.rotation_started';
const ROTATION_FINISHED = 'master_key.rotation_finished';

/** What the log says about the master key. */
export interface KeyRingState {
  readonly revision: number;
  /** Set while what the key before wrapped is being rewrapped. */
  readonly rotation: (Rotation & { readonly startedAt: Instant }) | null;
  /** When the last rotation ended; null where there was none. */
  readonly rotatedAt: Instant | null;
}

export interface KeyRingParts {
  readonly connection: EventStoreConnection;
  readonly masterKey: MasterKey;
  readonly now: () => Instant;
  /** Keeps keys, the current one first, where the service keeps its own; null where it keeps none. */
  readonly keep: ((keys: readonly Uint8Array[]) => void) | null;
  /**
   * For how long a read of the log proves which key is current. A rotation ends only long after that, so
   * that nothing is stored under a key that was retired. Infinity if no other process can rotate.
   */
  readonly provenForMs: number;
}

/** A text that a master key wrapped, and the context it is bound to. */
interface Wrapped {
  readonly text: string;
  readonly context: string;
}

const NOTHING_KNOWN: KeyRingState = { revision: -1, rotation: null, rotatedAt: null };

/**
 * Which master key is current, as the log says it. A rotation hands the new key on under the old one
 * and the old one under the new: whoever has either of them has both until everything is rewrapped.
 * Then the record is reduced to a mark of the new key, and the old key opens nothing any more.
 */
export class KeyRing {
  private known: KeyRingState = NOTHING_KNOWN;
  private proven = { atMs: -Infinity, atWallMs: -Infinity };
  private proving: Promise<void> | null = null;

  constructor(private readonly parts: KeyRingParts) {
    parts.masterKey.provenBy(() => this.prove());
  }

  get state(): KeyRingState {
    return this.known;
  }

  /** Whether the service itself keeps the key, so that it can make the next one. */
  get keepsKey(): boolean {
    return this.parts.keep !== null;
  }

  get keyId(): string {
    return this.parts.masterKey.id;
  }

  /**
   * Resolves when the keys of this process are known to be the ones the log was written with; throws
   * when they are others. The first start leaves a mark. Waits for a store that is away.
   */
  check(signal: AbortSignal): Promise<void> {
    return whenChecked('the master key', () => this.refresh(), signal);
  }

  /**
   * Follows rotations that another process started or finished. Throws if one ended while this process
   * was out of touch: its key opens nothing any more.
   */
  async follow(signal: AbortSignal): Promise<void> {
    const stream = categoryStream('master_key');
    const { connection } = this.parts;
    const retired = new AbortController();
    const either = AbortSignal.any([signal, retired.signal]);
    const subscription = { connection, name: 'master key', signal: either };
    await resubscribe(subscription, async ({ healthy, watched }) => {
      const from = { stream, after: -1, signal: either, watched };
      for await (const { events } of followCategory(connection, from)) {
        healthy();
        if (events.length > 0) {
          await this.refresh().catch((error: unknown) => {
            if (error instanceof ConfigError) retired.abort(error);
            throw error;
          });
        }
      }
    });
    if (retired.signal.aborted) throw retired.signal.reason;
  }

  /**
   * Resolves when the current key is known to be current. A process that was out of touch during a
   * rotation learns of it here, before it wraps anything with the key from before.
   */
  private prove(): Promise<void> {
    const { atMs, atWallMs } = this.proven;
    const ageMs = Math.max(performance.now() - atMs, Date.now() - atWallMs);
    if (ageMs < this.parts.provenForMs) return Promise.resolve();
    this.proving ??= this.refresh()
      .catch((error: unknown) => {
        warnOfFailure('the current master key is not known', 'master-key', error);
        const refusal = new DomainError(
          'service_unavailable',
          'The current master key is not known here. Repeat the request.',
        );
        refusal.cause = error;
        throw refusal;
      })
      .finally(() => {
        this.proving = null;
      });
    return this.proving;
  }

  /** Reads what the log says and goes by it. */
  async refresh(): Promise<void> {
    const events: StoredEvent[] = [];
    const { connection } = this.parts;
    const proven = { atMs: performance.now(), atWallMs: Date.now() };
    for await (const event of readStream(connection.client, streams.masterKey().name)) {
      events.push(event);
    }
    if (events.length === 0) await this.markFirst();
    // A rotation carries everything about the key: what stands before the last one is history.
    const first = events.findLastIndex(({ type }) => type !== MARKED);
    for (const event of events.slice(Math.max(0, first))) {
      if (event.revision > this.known.revision) this.apply(event);
    }
    this.proven = proven;
  }

  /** Starts a rotation to a new key, which is made here unless it is given. */
  async start(given: Uint8Array | null, origin?: Origin): Promise<void> {
    await this.refresh();
    const { masterKey, keep, connection, now } = this.parts;
    if (this.known.rotation !== null) return;
    const from = masterKey.id;
    const key = given ?? new Uint8Array(randomBytes(KEY_BYTES));
    const to = masterKey.learn(key);
    if (to === from) {
      throw new DomainError('parameter_invalid', 'The new key is the current one.', {
        param: 'new_key_file',
      });
    }
    // Kept before anything is wrapped with it: a key that only memory has would be lost with it.
    keep?.([key, masterKey.reveal(from)]);
    const data = {
      from,
      to,
      new_under_old: masterKey.wrapWith(from, key, HANDED_ON),
      old_under_new: masterKey.wrapWith(to, masterKey.reveal(from), HANDED_ON),
      digests_under_old: masterKey.wrapWith(from, masterKey.digestKey, DIGESTS),
      digests_under_new: masterKey.wrapWith(to, masterKey.digestKey, DIGESTS),
    };
    const event = newEvent(ROTATION_STARTED, data, now(), origin);
    const stream = streams.masterKey().name;
    await append(connection, { stream, expected: this.known.revision, events: [event] });
    await this.refresh();
  }

  /** Ends a rotation: everything is under the new key, and the record of the old one goes. */
  async finish(): Promise<void> {
    const { masterKey, keep, connection, now } = this.parts;
    const { rotation, revision } = this.known;
    if (rotation === null) return;
    const data = {
      key: rotation.to,
      wrapped: masterKey.wrap(MARK, MARK),
      digests: masterKey.wrap(masterKey.digestKey, DIGESTS),
    };
    const event = newEvent(ROTATION_FINISHED, data, now());
    const stream = streams.masterKey().name;
    await append(connection, { stream, expected: revision, events: [event] });
    await this.refresh();
    await keepOnlyLast(connection, stream);
    keep?.([masterKey.reveal(masterKey.id)]);
  }

  private apply({ type, data, revision, metadata }: StoredEvent): void {
    if (type === MARKED) this.applyMark(data);
    if (type === ROTATION_STARTED) this.applyStart(data);
    if (type === ROTATION_FINISHED) this.applyFinish(data);
    this.known = {
      revision,
      rotation:
        type === ROTATION_STARTED
          ? { from: data['from'] as string, to: data['to'] as string, startedAt: metadata.at }
          : null,
      rotatedAt: type === ROTATION_FINISHED ? metadata.at : this.known.rotatedAt,
    };
  }

  private applyMark(data: JsonObject): void {
    const { masterKey } = this.parts;
    const opener = masterKey.openerOf(data['wrapped'] as string, MARK);
    if (opener === null) throw wrongKey();
    masterKey.use(opener);
    masterKey.digestAs(opener);
  }

  private applyStart(data: JsonObject): void {
    const { masterKey } = this.parts;
    const { from, to } = data as { readonly from: string; readonly to: string };
    if (!masterKey.has(from) && !masterKey.has(to)) throw wrongKey();
    if (!masterKey.has(to)) this.learn(data['new_under_old']);
    if (!masterKey.has(from)) this.learn(data['old_under_new']);
    masterKey.use(to);
    masterKey.digestWith(unwrapped(masterKey, data['digests_under_new'], DIGESTS));
  }

  private applyFinish(data: JsonObject): void {
    const { masterKey } = this.parts;
    if (!masterKey.has(data['key'] as string)) throw wrongKey();
    masterKey.use(data['key'] as string);
    masterKey.digestWith(unwrapped(masterKey, data['digests'], DIGESTS));
    masterKey.forgetOthers();
  }

  private learn(handedOn: unknown): void {
    const { masterKey } = this.parts;
    masterKey.learn(unwrapped(masterKey, handedOn, HANDED_ON));
  }

  /** A log from before there were marks is tried by the first secret in it, and marked then. */
  private async markFirst(): Promise<void> {
    const { connection, masterKey, now } = this.parts;
    const known = await firstSecret(connection);
    if (known !== null) {
      const opener = masterKey.openerOf(known.text, known.context);
      if (opener === null) throw wrongKey();
      masterKey.use(opener);
      masterKey.digestAs(opener);
    }
    const event = newEvent(MARKED, { wrapped: masterKey.wrap(MARK, MARK) }, now());
    try {
      const stream = streams.masterKey().name;
      const { revision } = await append(connection, { stream, expected: -1, events: [event] });
      this.known = { ...NOTHING_KNOWN, revision };
    } catch (error) {
      // Of several processes that start at once one leaves its mark; the others try theirs on it.
      if (!(error instanceof RevisionConflict)) throw error;
      await this.refresh();
    }
  }
}

const newEvent = (type: string, data: JsonObject, at: Instant, origin?: Origin) => {
  const uuid = randomUUID();
  const metadata = { schema: 'v1', at, command: uuid, ...(origin === undefined ? {} : { origin }) };
  return { uuid, type, data, metadata };
};

const unwrapped = (masterKey: MasterKey, text: unknown, context: string): Uint8Array =>
  new Uint8Array(masterKey.unwrap(text as string, context));

/** The first data key or signing secret that has not been deleted. */
const firstSecret = async ({ client }: EventStoreConnection): Promise<Wrapped | null> => {
  for (const category of ['vault', 'destination']) {
    const links = readStream(client, categoryStream(category), { resolveLinks: true });
    for await (const event of links) {
      const found = secretIn(event);
      if (found !== null) return found;
    }
  }
  return null;
};

const secretIn = ({ type, stream, data }: StoredEvent): Wrapped | null => {
  const context = stream.slice(stream.indexOf('-') + 1);
  if (type.startsWith('vault.')) return { text: data['wrapped'] as string, context };
  const secret = data['secret'] as { readonly wrapped: string } | null | undefined;
  return secret == null ? null : { text: secret.wrapped, context };
};

const wrongKey = (): ConfigError =>
  new ConfigError([
    'MASTER_KEY is not the key that the data was written with (without the variable it is ' +
      'DATA_DIR/master-key): names and secrets cannot be read; bring the right key back',
  ]);
