import { randomBytes, randomUUID } from 'node:crypto';
import { warnOfFailure } from './failures';
import { ConfigError } from '../config/config';
import { DomainError } from '../kernel/errors';
import type { Instant } from '../kernel/time';
import { append, keepOnlyLastEvent, RevisionConflict } from './append';
import { followCategory } from './catch-up';
import type { EventStoreConnection } from './connection';
import type { MasterKey, Rotation } from './master-key';
import { readStream } from './read';
import { keepSubscribed } from './keep-subscribed';
import { checkUntilAnswered } from './start-check';
import type { StoredEvent } from './stored-event';
import type { JsonObject } from '../kernel/json';
import { categoryStream, streams } from './streams';

const MARK_TEXT = 'the master key of this log';
const WRAPPED_KEY_CONTEXT = 'a master key that is handed on';
const DIGEST_KEY_CONTEXT = 'the key of digests';
const KEY_BYTES = 32;

/** Event types and field names are a storage format and must not be renamed. */
const MARKED_EVENT = 'master_key.marked';
const ROTATION_STARTED_EVENT = 'master_key.rotation_started';
const ROTATION_FINISHED_EVENT = 'master_key.rotation_finished';

/** The state of the master key in the log. */
export interface KeyRingState {
  readonly revision: number;
  /** Set while texts of the previous key are being rewrapped. */
  readonly rotation: (Rotation & { readonly startedAt: Instant }) | null;
  /** The end of the last rotation; null if there was none. */
  readonly rotatedAt: Instant | null;
}

export interface KeyRingParts {
  readonly connection: EventStoreConnection;
  readonly masterKey: MasterKey;
  readonly now: () => Instant;
  /** Saves keys, the current one first, if the service stores its own key; otherwise null. */
  readonly saveKeys: ((keys: readonly Uint8Array[]) => void) | null;
  /**
   * The time for which a read of the log proves which key is current. A rotation ends only long
   * after that, so nothing is stored under a retired key. Infinity if no other process can rotate.
   */
  readonly proofValidForMs: number;
}

/** A text that a master key has wrapped, and its context, which decryption needs. */
interface WrappedText {
  readonly text: string;
  readonly context: string;
}

const INITIAL_STATE: KeyRingState = { revision: -1, rotation: null, rotatedAt: null };

/**
 * Tracks which master key is current, according to the log. A rotation stores the new key wrapped
 * by the old one and the old key wrapped by the new one. A process with either key therefore has
 * both until everything is rewrapped. Then only a mark of the new key is kept, and the old key
 * opens nothing.
 */
export class KeyRing {
  private currentState: KeyRingState = INITIAL_STATE;
  private lastProof = { atMs: -Infinity, atWallMs: -Infinity };
  private runningProof: Promise<void> | null = null;

  constructor(private readonly parts: KeyRingParts) {
    parts.masterKey.setProof(() => this.proveCurrentKey());
  }

  get state(): KeyRingState {
    return this.currentState;
  }

  /** True if the service stores its own key and so can create the next one. */
  get canCreateKey(): boolean {
    return this.parts.saveKeys !== null;
  }

  get keyId(): string {
    return this.parts.masterKey.id;
  }

  /**
   * Resolves when the keys of this process are the ones with which the log was written; throws if
   * they are not. The first start stores a mark. It waits for a store that does not answer.
   */
  check(signal: AbortSignal): Promise<void> {
    return checkUntilAnswered('the master key', () => this.refresh(), signal);
  }

  /**
   * Follows rotations of other processes. It throws if a rotation ended while this process was
   * disconnected, because its key opens nothing any more.
   */
  async follow(signal: AbortSignal): Promise<void> {
    const stream = categoryStream('master_key');
    const { connection } = this.parts;
    const retired = new AbortController();
    const either = AbortSignal.any([signal, retired.signal]);
    const subscription = { connection, name: 'master key', signal: either };
    await keepSubscribed(subscription, async ({ markHealthy, watched }) => {
      const from = { stream, after: -1, signal: either, watched };
      for await (const { events } of followCategory(connection, from)) {
        markHealthy();
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
   * Resolves when the current key is proved to be current. A process that was disconnected during a
   * rotation learns of it here, before it wraps anything with the previous key.
   */
  private proveCurrentKey(): Promise<void> {
    const { atMs, atWallMs } = this.lastProof;
    const ageMs = Math.max(performance.now() - atMs, Date.now() - atWallMs);
    if (ageMs < this.parts.proofValidForMs) return Promise.resolve();
    this.runningProof ??= this.refresh()
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
        this.runningProof = null;
      });
    return this.runningProof;
  }

  /** Reads the state of the master key from the log and applies it. */
  async refresh(): Promise<void> {
    const events: StoredEvent[] = [];
    const { connection } = this.parts;
    const proven = { atMs: performance.now(), atWallMs: Date.now() };
    for await (const event of readStream(connection.client, streams.masterKey().name)) {
      events.push(event);
    }
    if (events.length === 0) await this.markFirst();
    // A rotation event contains the whole state, so events before the last one are ignored.
    const first = events.findLastIndex(({ type }) => type !== MARKED_EVENT);
    for (const event of events.slice(Math.max(0, first))) {
      if (event.revision > this.currentState.revision) this.apply(event);
    }
    this.lastProof = proven;
  }

  /** Starts a rotation to a new key. The key is created here if none is given. */
  async startRotation(given: Uint8Array | null): Promise<void> {
    await this.refresh();
    const { masterKey, saveKeys, connection, now } = this.parts;
    if (this.currentState.rotation !== null) return;
    const from = masterKey.id;
    const key = given ?? new Uint8Array(randomBytes(KEY_BYTES));
    const to = masterKey.addKey(key);
    if (to === from) {
      throw new DomainError('parameter_invalid', 'The new key is the current one.', {
        param: 'new_key_file',
      });
    }
    // The key is saved before anything is wrapped with it. A key that exists only in memory would
    // be lost with the process.
    saveKeys?.([key, masterKey.reveal(from)]);
    const data = {
      from,
      to,
      new_under_old: masterKey.wrapWith(from, key, WRAPPED_KEY_CONTEXT),
      old_under_new: masterKey.wrapWith(to, masterKey.reveal(from), WRAPPED_KEY_CONTEXT),
      digests_under_old: masterKey.wrapWith(from, masterKey.digestKey, DIGEST_KEY_CONTEXT),
      digests_under_new: masterKey.wrapWith(to, masterKey.digestKey, DIGEST_KEY_CONTEXT),
    };
    const event = newEvent(ROTATION_STARTED_EVENT, data, now());
    const stream = streams.masterKey().name;
    await append(connection, { stream, expected: this.currentState.revision, events: [event] });
    await this.refresh();
  }

  /**
   * Ends a rotation after everything is rewrapped with the new key, and removes the record of the
   * old one.
   */
  async finishRotation(): Promise<void> {
    const { masterKey, saveKeys, connection, now } = this.parts;
    const { rotation, revision } = this.currentState;
    if (rotation === null) return;
    const data = {
      key: rotation.to,
      wrapped: masterKey.wrap(MARK_TEXT, MARK_TEXT),
      digests: masterKey.wrap(masterKey.digestKey, DIGEST_KEY_CONTEXT),
    };
    const event = newEvent(ROTATION_FINISHED_EVENT, data, now());
    const stream = streams.masterKey().name;
    await append(connection, { stream, expected: revision, events: [event] });
    await this.refresh();
    await keepOnlyLastEvent(connection, stream);
    saveKeys?.([masterKey.reveal(masterKey.id)]);
  }

  private apply({ type, data, revision, metadata }: StoredEvent): void {
    if (type === MARKED_EVENT) this.applyMark(data);
    if (type === ROTATION_STARTED_EVENT) this.applyStart(data);
    if (type === ROTATION_FINISHED_EVENT) this.applyFinish(data);
    this.currentState = {
      revision,
      rotation:
        type === ROTATION_STARTED_EVENT
          ? { from: data['from'] as string, to: data['to'] as string, startedAt: metadata.at }
          : null,
      rotatedAt: type === ROTATION_FINISHED_EVENT ? metadata.at : this.currentState.rotatedAt,
    };
  }

  private applyMark(data: JsonObject): void {
    const { masterKey } = this.parts;
    const opener = masterKey.findKeyFor(data['wrapped'] as string, MARK_TEXT);
    if (opener === null) throw wrongKeyError();
    masterKey.makeCurrent(opener);
    masterKey.deriveDigestKeyFrom(opener);
  }

  private applyStart(data: JsonObject): void {
    const { masterKey } = this.parts;
    const { from, to } = data as { readonly from: string; readonly to: string };
    if (!masterKey.has(from) && !masterKey.has(to)) throw wrongKeyError();
    if (!masterKey.has(to)) this.addWrappedKey(data['new_under_old']);
    if (!masterKey.has(from)) this.addWrappedKey(data['old_under_new']);
    masterKey.makeCurrent(to);
    masterKey.setDigestKey(unwrapKey(masterKey, data['digests_under_new'], DIGEST_KEY_CONTEXT));
  }

  private applyFinish(data: JsonObject): void {
    const { masterKey } = this.parts;
    if (!masterKey.has(data['key'] as string)) throw wrongKeyError();
    masterKey.makeCurrent(data['key'] as string);
    masterKey.setDigestKey(unwrapKey(masterKey, data['digests'], DIGEST_KEY_CONTEXT));
    masterKey.forgetOthers();
  }

  private addWrappedKey(handedOn: unknown): void {
    const { masterKey } = this.parts;
    masterKey.addKey(unwrapKey(masterKey, handedOn, WRAPPED_KEY_CONTEXT));
  }

  /**
   * Stores the mark in a log that has none. In a log of an earlier version the key is first tested
   * with the first secret in it.
   */
  private async markFirst(): Promise<void> {
    const { connection, masterKey, now } = this.parts;
    const known = await findFirstSecret(connection);
    if (known !== null) {
      const opener = masterKey.findKeyFor(known.text, known.context);
      if (opener === null) throw wrongKeyError();
      masterKey.makeCurrent(opener);
      masterKey.deriveDigestKeyFrom(opener);
    }
    const event = newEvent(MARKED_EVENT, { wrapped: masterKey.wrap(MARK_TEXT, MARK_TEXT) }, now());
    try {
      const stream = streams.masterKey().name;
      const { revision } = await append(connection, { stream, expected: -1, events: [event] });
      this.currentState = { ...INITIAL_STATE, revision };
    } catch (error) {
      // Several processes may start at the same time. One of them stores its mark, and the others
      // test their key with it.
      if (!(error instanceof RevisionConflict)) throw error;
      await this.refresh();
    }
  }
}

const newEvent = (type: string, data: JsonObject, at: Instant) => {
  const uuid = randomUUID();
  return { uuid, type, data, metadata: { schema: 'v1', at, command: uuid } };
};

const unwrapKey = (masterKey: MasterKey, text: unknown, context: string): Uint8Array =>
  new Uint8Array(masterKey.unwrap(text as string, context));

/** Finds the first data key or signing secret that has not been deleted. */
const findFirstSecret = async ({ client }: EventStoreConnection): Promise<WrappedText | null> => {
  for (const category of ['vault', 'destination']) {
    const links = readStream(client, categoryStream(category), { resolveLinks: true });
    for await (const event of links) {
      const found = findSecret(event);
      if (found !== null) return found;
    }
  }
  return null;
};

const findSecret = ({ type, stream, data }: StoredEvent): WrappedText | null => {
  const context = stream.slice(stream.indexOf('-') + 1);
  if (type.startsWith('vault.')) return { text: data['wrapped'] as string, context };
  const secret = data['secret'] as { readonly wrapped: string } | null | undefined;
  return secret == null ? null : { text: secret.wrapped, context };
};

const wrongKeyError = (): ConfigError =>
  new ConfigError([
    'MASTER_KEY is not the key that the data was written with (without the variable it is ' +
      'DATA_DIR/master-key): names and secrets cannot be read; bring the right key back',
  ]);
