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
import { pause, pollUntilStopped, waitAtMost } from '../ops/polling';
import type { Database, Session, WritingSession } from '../read-models/database';
import { isPresent } from '../read-models/presence';
import type { ChangeStatement } from '../read-models/statement-batch';
import {
  type Checkpoint,
  isCheckpointLost,
  lockCheckpoint,
  moveCheckpoint,
  PROJECTOR_CHECKPOINT,
  readCheckpoint,
  saveCheckpoint,
} from './checkpoint';
import { OwnPresence } from './own-presence';
import type { Projection } from './projection';
import { recordProjection } from './projection-trace';
import { announceRebuildOfOldRows, requestRebuildOfOldRows, ROW_VERSION } from './row-version';
import { projectEvents, isEventError, writeOneByOne } from './write-events';

/**
 * A projector without a heartbeat for this long is treated as dead, and another process takes over.
 * It does so earlier if PostgreSQL has noticed the death (`presence.ts`).
 */
const TAKE_OVER_AFTER_MS = 5_000;
const HEARTBEAT_MS = 1_500;
/** Pause between two batches while a request waits for rows. */
const AWAITED_PAUSE_MS = 10;
/**
 * Pause between two batches while no request waits. A transaction costs nearly the same for one
 * event as for many: with 250 ms instead of 50 the SQL thread took 1.4 instead of 3.7 ms of CPU per
 * event at 20 events a second. But an event that no request made is shown that much later.
 */
const PAUSE_MS = 100;
/**
 * A batch of this size means that the projector is behind. The next batch follows without a pause.
 */
const FULL_BATCH_EVENTS = 500;
/** Minimum interval for storing a position without any rows. */
const POSITION_ONLY_WRITE_MS = 1_000;

/** Thrown when another process owns the checkpoint or has moved it. */
export class CheckpointLost extends Error {
  override readonly name = 'CheckpointLost';
}

export interface ProjectorParts {
  readonly connection: EventStoreConnection;
  readonly database: Database;
  readonly projections: readonly Projection[];
  readonly metrics: Metrics;
  readonly tracing: Tracing;
  /** Id of this process. It is written to the checkpoint as the owner. */
  readonly instanceId: string;
  /** True if no other process can use these read models, so that no heartbeat is needed. */
  readonly isAlone?: boolean;
}

/**
 * Follows the log and writes the rows of every projection. A batch and its checkpoint are one SQL
 * transaction. Only one process does this at a time. It acquires the checkpoint under an advisory
 * lock, and a batch is written only if the checkpoint still belongs to it and has not moved. A
 * standby process takes over when the heartbeat is too old.
 */
export class Projector {
  private readonly progress = new EventEmitter();
  /** Runs batches, and work that must happen between two batches, one after the other. */
  private readonly queue = new KeyedQueue();
  private readonly presence: OwnPresence;
  /** True once everything is projected that was in the log when this process took over. */
  private caughtUp = false;
  /**
   * Start of the current lag on the monotonic clock; null if the read models are up to date or
   * another process projects.
   */
  private behindSinceMs: number | null = null;
  /** Number of callers that wait for events that are not projected yet. */
  private waiterCount = 0;
  private state: Checkpoint = { position: null, complete: false, owner: null, ageMs: Infinity };
  /** Position in the checkpoint's row. It is behind `state` if the later events changed no row. */
  private stored: LogPosition | null = null;
  /** Last time at which only a position was stored, on the monotonic clock. */
  private positionOnlyWriteAtMs = -Infinity;

  constructor(private readonly parts: ProjectorParts) {
    this.presence = new OwnPresence(parts);
    this.progress.setMaxListeners(0);
  }

  async run(signal: AbortSignal): Promise<void> {
    const heartbeat = this.runHeartbeat(signal);
    const presence = this.presence.run(signal);
    const { connection } = this.parts;
    const name = 'projector';
    await keepSubscribed({ connection, name, signal }, async ({ markHealthy, watched }) => {
      this.caughtUp = false;
      // Another process may own the checkpoint. Until this one does, there is nothing to subscribe
      // to.
      watched.recordAnswer();
      const after = await this.takeOver(signal);
      this.behindSinceMs ??= performance.now();
      for await (const batch of followLog(connection, { after, signal, watched })) {
        this.behindSinceMs ??= performance.now();
        await this.applyBatch(batch);
        this.caughtUp ||= batch.caughtUp;
        if (this.caughtUp && batch.events.length < FULL_BATCH_EVENTS) this.behindSinceMs = null;
        markHealthy();
        if (batch.events.length < FULL_BATCH_EVENTS) await this.waitForMoreEvents(signal);
      }
    });
    await heartbeat;
    await this.release();
    await presence;
  }

  /** True if this process owns the checkpoint. */
  isOwner(): boolean {
    return this.state.owner === this.parts.instanceId;
  }

  /**
   * True if this process owns the checkpoint and has caught up with the log of the time when it
   * took over.
   */
  isCurrent(): boolean {
    return this.isOwner() && this.caughtUp;
  }

  /** Returns the commit position up to which the read models are complete. */
  projectedTo(): bigint {
    return this.state.position?.commit ?? -1n;
  }

  /**
   * For how long the read models have been behind the log, in seconds; 0 if they have all of it or
   * another process projects.
   */
  lagSeconds(): number {
    const { behindSinceMs: since } = this;
    return since === null ? 0 : (performance.now() - since) / 1_000;
  }

  /** Returns false while the read models are being built from an empty state. */
  isComplete(): boolean {
    return this.state.complete;
  }

  /**
   * Resolves when the read models show everything up to a position. The projector shortens its
   * pauses meanwhile. Rejects when the signal aborts.
   */
  async waitUntilProjected(position: bigint, signal: AbortSignal): Promise<void> {
    if (this.projectedTo() >= position) return;
    this.waiterCount += 1;
    this.progress.emit('awaited');
    try {
      await this.waitUntilBeyond(position - 1n, signal);
    } finally {
      this.waiterCount -= 1;
    }
  }

  /** Resolves when the read models show an event after a position. */
  async waitUntilBeyond(position: bigint, signal: AbortSignal): Promise<void> {
    while (this.projectedTo() <= position) await once(this.progress, 'progress', { signal });
  }

  /** Reads the position that the owner of the checkpoint has reached. */
  async refreshCheckpoint(): Promise<void> {
    if (this.isOwner()) return;
    const found = await readCheckpoint(this.parts.database, PROJECTOR_CHECKPOINT);
    // This process may have become the owner during the read, and then knows a later position.
    if (!this.isOwner()) this.advance(found);
  }

  /**
   * Waits until the checkpoint is free or its owner is dead, acquires it, and returns the position
   * at which to continue.
   */
  private async takeOver(signal: AbortSignal): Promise<LogPosition | null> {
    const { instanceId: owner, database, projections } = this.parts;
    await this.presence.waitUntilShown(signal);
    for (;;) {
      signal.throwIfAborted();
      let rebuilds = false;
      const found = await database.transaction(async (session) => {
        const checkpoint = await lockCheckpoint(session, PROJECTOR_CHECKPOINT);
        if (!(await this.canTakeOver(session, checkpoint))) return checkpoint;
        await saveCheckpoint(session, { ...checkpoint, name: PROJECTOR_CHECKPOINT, owner });
        rebuilds = await requestRebuildOfOldRows(session, projections);
        return { ...checkpoint, owner };
      });
      this.advance(found);
      this.stored = found.position;
      if (rebuilds) announceRebuildOfOldRows(database);
      if (found.owner === owner) return found.position;
      this.behindSinceMs = null;
      await delay(HEARTBEAT_MS, undefined, { signal });
    }
  }

  private async canTakeOver(session: Session, { owner, ageMs }: Checkpoint): Promise<boolean> {
    if (owner === null || owner === this.parts.instanceId) return true;
    return ageMs > TAKE_OVER_AFTER_MS || !(await isPresent(session, owner));
  }

  /**
   * Runs work between two batches, in a transaction that holds the checkpoint. The work sees
   * exactly the position that it receives. Only the process that projects may call it.
   */
  runBetweenBatches<T>(
    work: (session: WritingSession, position: LogPosition | null) => Promise<T>,
  ): Promise<T> {
    return this.queue.run(PROJECTOR_CHECKPOINT, async () => {
      await this.storePosition();
      return this.parts.database.transaction(async (session) => {
        await this.assertUnmoved(session);
        return work(session, this.state.position);
      });
    });
  }

  /** Waits for more events, because a transaction for one event costs as much as one for twenty. */
  private async waitForMoreEvents(signal: AbortSignal): Promise<void> {
    await pause(AWAITED_PAUSE_MS, signal);
    if (this.waiterCount > 0) return;
    await waitAtMost(PAUSE_MS - AWAITED_PAUSE_MS, signal, (end) =>
      once(this.progress, 'awaited', { signal: end }),
    );
  }

  private applyBatch(batch: LogBatch): Promise<void> {
    return this.queue.run(PROJECTOR_CHECKPOINT, () => this.writeBatch(batch));
  }

  private async writeBatch({ events, position, caughtUp }: LogBatch): Promise<void> {
    const next: Checkpoint = {
      ...this.state,
      position: position ?? this.state.position,
      complete: this.state.complete || caughtUp,
    };
    if (position === null && next.complete === this.state.complete) return;
    const { projections, metrics, database, tracing } = this.parts;
    const startedAtMs = Date.now();
    try {
      const changes = projectEvents(projections, events);
      const statements = await changes.createStatements(database);
      if (statements.length > 0 || !this.canDelayPosition(next))
        await this.storeBatch(next, statements);
      for (const [{ name }, rows] of changes.listPending()) database.rowNotifier.notify(name, rows);
    } catch (error) {
      // An event that always fails must not block all later events.
      if (!isEventError(error)) throw error;
      metrics.unprojectedEvents.inc(await this.storeOneByOne(next, events));
    }
    metrics.projectedEvents.inc(events.length);
    if (tracing.isOn) recordProjection(tracing, events, startedAtMs);
    this.advance(next);
  }

  /**
   * True if a position without rows may be stored later, with other rows or at the next heartbeat.
   */
  private canDelayPosition({ complete }: Checkpoint): boolean {
    const sinceMs = performance.now() - this.positionOnlyWriteAtMs;
    return complete === this.state.complete && sinceMs < POSITION_ONLY_WRITE_MS;
  }

  /** Stores rows and the checkpoint in one transaction and one round trip. */
  private async storeBatch(next: Checkpoint, rows: readonly ChangeStatement[]): Promise<void> {
    await this.parts.database.change([this.createMove(next), ...rows]).catch(throwLoss);
    this.stored = next.position;
    if (rows.length === 0) this.positionOnlyWriteAtMs = performance.now();
  }

  private async storeOneByOne(next: Checkpoint, events: readonly StoredEvent[]): Promise<number> {
    const { database, projections } = this.parts;
    const work = async (session: WritingSession): Promise<number> => {
      await session.change([this.createMove(next)]);
      return writeOneByOne(session, projections, events);
    };
    const leftOut = await database.transaction(work).catch(throwLoss);
    this.stored = next.position;
    return leftOut;
  }

  private createMove({ position, complete }: Checkpoint): ChangeStatement {
    const { instanceId: owner } = this.parts;
    return moveCheckpoint({
      name: PROJECTOR_CHECKPOINT,
      owner,
      from: this.stored,
      to: position,
      complete,
      rowVersion: ROW_VERSION,
    });
  }

  private async assertUnmoved(session: Session): Promise<void> {
    const { owner, position } = await lockCheckpoint(session, PROJECTOR_CHECKPOINT);
    const unmoved = position?.commit === this.state.position?.commit;
    if (owner !== this.parts.instanceId || !unmoved) {
      throw new CheckpointLost('another process has moved the checkpoint of the projector');
    }
  }

  /** Writes a heartbeat to the checkpoint at intervals, even if nothing happens. */
  private async runHeartbeat(signal: AbortSignal): Promise<void> {
    await pollUntilStopped(signal, () => this.writeHeartbeat(), {
      everyMs: HEARTBEAT_MS,
      firstAfterMs: HEARTBEAT_MS,
      onFailure: (error) => {
        warnOfFailure(
          'the heartbeat of the projector cannot be stored: it is tried again',
          'projector',
          error,
        );
      },
    });
  }

  private async writeHeartbeat(): Promise<void> {
    if (this.hasUnstoredPosition())
      await this.queue.run(PROJECTOR_CHECKPOINT, () => this.storePosition());
    if (this.parts.isAlone === true) return;
    await this.parts.database.query({
      name: 'projector heartbeat',
      text: 'update checkpoints set seen_at = now() where name = $1 and owner = $2',
      values: [PROJECTOR_CHECKPOINT, this.parts.instanceId],
    });
  }

  private hasUnstoredPosition(): boolean {
    return this.isOwner() && this.stored?.commit !== this.state.position?.commit;
  }

  private async storePosition(): Promise<void> {
    if (this.hasUnstoredPosition()) await this.storeBatch(this.state, []);
  }

  /**
   * Releases the checkpoint on an orderly stop, so that the others need not wait for the heartbeat
   * to time out.
   */
  private async release(): Promise<void> {
    await this.parts.database
      .query({
        text: 'update checkpoints set owner = null where name = $1 and owner = $2',
        values: [PROJECTOR_CHECKPOINT, this.parts.instanceId],
      })
      .catch((error: unknown) => {
        warnOfFailure(
          'the projector cannot release its checkpoint: another process takes over a few seconds later',
          'projector',
          error,
        );
      });
  }

  private advance(next: Checkpoint): void {
    this.state = next;
    this.parts.database.rowNotifier.isComplete = this.isOwner();
    this.progress.emit('progress');
  }
}

const throwLoss = (error: unknown): never => {
  throw isCheckpointLost(error)
    ? new CheckpointLost('another process has moved the checkpoint of the projector', {
        cause: error,
      })
    : error;
};
