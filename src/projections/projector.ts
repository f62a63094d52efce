import { EventEmitter, once } from 'node:events';
import { warnOfFailure } from '../event-store/failures';
import { setTimeout as delay } from 'node:timers/promises';
import { followLog, type LogBatch, type LogPosition } from '../event-store/catch-up';
import type { EventStoreConnection } from '../event-store/connection';
import { KeyedQueue } from '../event-store/keyed-queue';
import type { StoredEvent } from '../event-store/stored-event';
import { keepSubscribed } from '../event-store/keep-subscribed';
import type { Metrics } from '../ops/metrics';
import type { Tracing } from '../ops/tracing';
import { within } from '../ops/within';
import type { Database, Session, WritingSession } from '../read-models/database';
import type { Change } from '../read-models/statement-batch';
import {
  type Checkpoint,
  isCheckpointLost,
  lockCheckpoint,
  moveCheckpoint,
  PROJECTOR_CHECKPOINT,
  readCheckpoint,
  saveCheckpoint,
} from './checkpoint';
import type { Projection } from './projection';
import { recordProjection } from './projection-trace';
import { changesOf, isOfEvents, writeOneByOne } from './write-events';

/** A projector that has not been seen for this long has died: another process takes over. */
const TAKE_OVER_AFTER_MS = 5_000;
const HEARTBEAT_MS = 1_500;
/** Between two batches where somebody waits for the next one … */
const PACE_AWAITED_MS = 10;
/** … and where nobody does … */
const PACE_MS = 50;
/** … unless it is far behind: then a batch is as large as this, and follows at once. */
const FULL_EVENTS = 500;
/** A position is stored without any rows at most this often. */
const STORED_ALONE_EVERY_MS = 1_000;

/** Another process projects, or has projected what we were about to. */
export class LostCheckpoint extends Error {
  override readonly name = 'LostCheckpoint';
}

export interface ProjectorParts {
  readonly connection: EventStoreConnection;
  readonly database: Database;
  readonly projections: readonly Projection[];
  readonly metrics: Metrics;
  readonly tracing: Tracing;
  /** Names this process in the checkpoint. */
  readonly instanceId: string;
  /** Whether no other process can have these read models: then nobody looks whether we live. */
  readonly isAlone?: boolean;
}

/**
 * Follows the log and writes every projection's rows, a batch and its checkpoint in one SQL
 * transaction. One process at a time: it takes the checkpoint under an advisory lock, and a batch is
 * written only if the checkpoint is still ours and where we left it; a standby takes over when it
 * goes stale.
 */
export class Projector {
  private readonly progress = new EventEmitter();
  /** Batches and what must happen between two of them take turns. */
  private readonly turns = new KeyedQueue();
  /** Whether everything that was in the log when this process took over is projected. */
  private caughtUp = false;
  /** Since when the read models lack something that they are to get from here; null = they do not. */
  private behindSinceMs: number | null = null;
  /** How many wait for what is not projected yet. */
  private awaited = 0;
  private state: Checkpoint = { position: null, complete: false, owner: null, ageMs: Infinity };
  /** What the checkpoint's row has: behind the state where the events since then changed no row. */
  private stored: LogPosition | null = null;
  /** Monotonic. */
  private storedAloneAtMs = -Infinity;

  constructor(private readonly parts: ProjectorParts) {
    this.progress.setMaxListeners(0);
  }

  async run(signal: AbortSignal): Promise<void> {
    const heartbeat = this.beat(signal);
    const { connection } = this.parts;
    const name = 'projector';
    await keepSubscribed({ connection, name, signal }, async ({ markHealthy, watched }) => {
      this.caughtUp = false;
      // Another process may project: until this one does it has nothing to subscribe to.
      watched.recordAnswer();
      const after = await this.takeOver(signal);
      this.behindSinceMs ??= performance.now();
      for await (const batch of followLog(connection, { after, signal, watched })) {
        this.behindSinceMs ??= performance.now();
        await this.apply(batch);
        this.caughtUp ||= batch.caughtUp;
        if (this.caughtUp && batch.events.length < FULL_EVENTS) this.behindSinceMs = null;
        this.measure();
        markHealthy();
        if (batch.events.length < FULL_EVENTS) await this.gather(signal);
      }
    });
    await heartbeat;
    await this.release();
  }

  /** Whether this process projects. */
  isOwner(): boolean {
    return this.state.owner === this.parts.instanceId;
  }

  /** Whether it does, and its read models are not behind what another one left in the log. */
  isCurrent(): boolean {
    return this.isOwner() && this.caughtUp;
  }

  /** Commit position up to which the read models show everything. */
  projectedTo(): bigint {
    return this.state.position?.commit ?? -1n;
  }

  /** False while the read models are built from nothing: they do not show everything yet. */
  isComplete(): boolean {
    return this.state.complete;
  }

  /**
   * Resolves when the read models show everything up to a position of the log, for which they hurry;
   * rejects when aborted.
   */
  async whenProjected(position: bigint, signal: AbortSignal): Promise<void> {
    if (this.projectedTo() >= position) return;
    this.awaited += 1;
    this.progress.emit('awaited');
    try {
      await this.whenBeyond(position - 1n, signal);
    } finally {
      this.awaited -= 1;
    }
  }

  /** Resolves when the read models show more than up to a position, whenever that is. */
  async whenBeyond(position: bigint, signal: AbortSignal): Promise<void> {
    while (this.projectedTo() <= position) await once(this.progress, 'progress', { signal });
  }

  /** Looks up how far the process that projects has come. */
  async look(): Promise<void> {
    if (this.isOwner()) return;
    const found = await readCheckpoint(this.parts.database, PROJECTOR_CHECKPOINT);
    // We may have become the owner meanwhile, and know more than what was read before.
    if (!this.isOwner()) this.advance(found);
  }

  /** Waits until the checkpoint is ours or stale, makes it ours, and answers where to go on. */
  private async takeOver(signal: AbortSignal): Promise<LogPosition | null> {
    const { instanceId: owner, database } = this.parts;
    for (;;) {
      signal.throwIfAborted();
      const found = await database.transaction(async (session) => {
        const checkpoint = await lockCheckpoint(session, PROJECTOR_CHECKPOINT);
        if (!this.mayOwn(checkpoint)) return checkpoint;
        await saveCheckpoint(session, { ...checkpoint, name: PROJECTOR_CHECKPOINT, owner });
        return { ...checkpoint, owner };
      });
      this.advance(found);
      this.stored = found.position;
      if (found.owner === owner) return found.position;
      this.behindSinceMs = null;
      await delay(HEARTBEAT_MS, undefined, { signal });
    }
  }

  private mayOwn({ owner, ageMs }: Checkpoint): boolean {
    return owner === null || owner === this.parts.instanceId || ageMs > TAKE_OVER_AFTER_MS;
  }

  /**
   * Runs work between two batches, in a transaction that holds the checkpoint: what it does happens
   * exactly at the position it is given. Only the process that projects may call it.
   */
  exclusively<T>(
    work: (session: WritingSession, position: LogPosition | null) => Promise<T>,
  ): Promise<T> {
    return this.turns.run(PROJECTOR_CHECKPOINT, async () => {
      await this.storeState();
      return this.parts.database.transaction(async (session) => {
        await this.assertUnmoved(session);
        return work(session, this.state.position);
      });
    });
  }

  /** A transaction costs the same for one event as for twenty: lets a few arrive. */
  private async gather(signal: AbortSignal): Promise<void> {
    await delay(PACE_AWAITED_MS, undefined, { signal }).catch(() => undefined);
    if (this.awaited > 0) return;
    const wanted = (pause: AbortSignal): Promise<unknown> =>
      once(this.progress, 'awaited', { signal: pause });
    await within(signal, PACE_MS - PACE_AWAITED_MS, wanted).catch(() => undefined);
  }

  private apply(batch: LogBatch): Promise<void> {
    return this.turns.run(PROJECTOR_CHECKPOINT, () => this.write(batch));
  }

  private async write({ events, position, caughtUp }: LogBatch): Promise<void> {
    const next: Checkpoint = {
      ...this.state,
      position: position ?? this.state.position,
      complete: this.state.complete || caughtUp,
    };
    if (position === null && next.complete === this.state.complete) return;
    const { projections, metrics, database, tracing } = this.parts;
    const startedAtMs = Date.now();
    try {
      const changes = changesOf(projections, events);
      const statements = await changes.statements(database);
      if (statements.length > 0 || !this.mayWait(next)) await this.store(next, statements);
      for (const [{ name }, rows] of changes.pending()) database.news.tell(name, rows);
    } catch (error) {
      // An event that fails every time must not stand before all that come after it.
      if (!isOfEvents(error)) throw error;
      metrics.unprojectedEvents.inc(await this.storeOneByOne(next, events));
    }
    metrics.projectedEvents.inc(events.length);
    if (tracing.isOn) recordProjection(tracing, events, startedAtMs);
    this.advance(next);
  }

  /** Whether a position that came with no rows may wait for some, or for the next heartbeat. */
  private mayWait({ complete }: Checkpoint): boolean {
    const sinceMs = performance.now() - this.storedAloneAtMs;
    return complete === this.state.complete && sinceMs < STORED_ALONE_EVERY_MS;
  }

  /** Rows and the checkpoint that says so, in one transaction and one round trip. */
  private async store(next: Checkpoint, rows: readonly Change[]): Promise<void> {
    await this.parts.database.change([this.move(next), ...rows]).catch(tellLoss);
    this.stored = next.position;
    if (rows.length === 0) this.storedAloneAtMs = performance.now();
  }

  private async storeOneByOne(next: Checkpoint, events: readonly StoredEvent[]): Promise<number> {
    const { database, projections } = this.parts;
    const work = async (session: WritingSession): Promise<number> => {
      await session.change([this.move(next)]);
      return writeOneByOne(session, projections, events);
    };
    const leftOut = await database.transaction(work).catch(tellLoss);
    this.stored = next.position;
    return leftOut;
  }

  private move({ position, complete }: Checkpoint): Change {
    const { instanceId: owner } = this.parts;
    return moveCheckpoint({
      name: PROJECTOR_CHECKPOINT,
      owner,
      from: this.stored,
      to: position,
      complete,
    });
  }

  private async assertUnmoved(session: Session): Promise<void> {
    const { owner, position } = await lockCheckpoint(session, PROJECTOR_CHECKPOINT);
    const unmoved = position?.commit === this.state.position?.commit;
    if (owner !== this.parts.instanceId || !unmoved) {
      throw new LostCheckpoint('another process has projected this');
    }
  }

  /** The checkpoint row shows that we are alive also when nothing happens. */
  private async beat(signal: AbortSignal): Promise<void> {
    for (;;) {
      await delay(HEARTBEAT_MS, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
      this.measure();
      await this.touch().catch((error: unknown) => {
        warnOfFailure('projector heartbeat failed', 'projector', error);
      });
    }
  }

  private measure(): void {
    const { behindSinceMs: since } = this;
    const { projectionLag } = this.parts.metrics;
    projectionLag.set(since === null ? 0 : (performance.now() - since) / 1_000);
  }

  private async touch(): Promise<void> {
    if (this.isBehindState()) await this.turns.run(PROJECTOR_CHECKPOINT, () => this.storeState());
    if (this.parts.isAlone === true) return;
    await this.parts.database.query({
      name: 'projector heartbeat',
      text: 'update checkpoints set seen_at = now() where name = $1 and owner = $2',
      values: [PROJECTOR_CHECKPOINT, this.parts.instanceId],
    });
  }

  private isBehindState(): boolean {
    return this.isOwner() && this.stored?.commit !== this.state.position?.commit;
  }

  private async storeState(): Promise<void> {
    if (this.isBehindState()) await this.store(this.state, []);
  }

  /** On an orderly stop nobody has to wait until we look dead. */
  private async release(): Promise<void> {
    await this.parts.database
      .query({
        text: 'update checkpoints set owner = null where name = $1 and owner = $2',
        values: [PROJECTOR_CHECKPOINT, this.parts.instanceId],
      })
      .catch(() => undefined);
  }

  private advance(next: Checkpoint): void {
    this.state = next;
    this.parts.database.news.isComplete = this.isOwner();
    this.progress.emit('progress');
  }
}

const tellLoss = (error: unknown): never => {
  throw isCheckpointLost(error)
    ? new LostCheckpoint('another process has projected this', { cause: error })
    : error;
};
