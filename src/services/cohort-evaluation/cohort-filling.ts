import type { CohortDirectory } from '../../directories/cohort.directory';
import { clockAggregate, getTime } from '../../domain/clocks/clock.decider';
import { matchesDefinition, usesTenure } from '../../domain/cohorts/cohort-matcher';
import {
  backfillAggregate,
  cohortAggregate,
  completeBackfill,
  type KnownCohort,
} from '../../domain/cohorts/cohort.decider';
import type { CohortBackfillFact } from '../../domain/cohorts/cohort.events';
import type { Aggregates } from '../../event-store/aggregates';
import { streams } from '../../event-store/streams';
import { scopeName } from '../../kernel/scope';
import type { Instant } from '../../kernel/time';
import type { LiveRequests } from '../../ops/live-requests';
import type { Projector } from '../../projections/projector';
import type { CohortWrites } from './cohort-writes';
import type { CohortStore, ListedSubject } from './cohort.store';

const CHUNK_MEMBERS = 1_000;
/** Number of members in one append. They take as much work as one imported subscriber. */
const MEMBERS_PER_STEP = 20;
const VISIBILITY_TIMEOUT_MS = 5_000;

export interface FillingParts {
  readonly aggregates: Aggregates;
  readonly projector: Projector;
  readonly store: CohortStore;
  readonly directory: CohortDirectory;
  /** Gives live requests priority over filling a new cohort. */
  readonly liveRequests: LiveRequests;
}

/**
 * Fills a new cohort with the subscribers that match its definition when it is created. They are
 * stored in a stream of the cohort, without an event for each subscriber.
 */
export class CohortFilling {
  constructor(
    private readonly parts: FillingParts,
    private readonly writes: CohortWrites,
  ) {}

  /** Stores all members of a new cohort, and waits until the read models have them. */
  async fill(cohort: KnownCohort, now: Instant, signal: AbortSignal): Promise<void> {
    const { store, projector, directory, aggregates } = this.parts;
    const stream = streams.cohort(cohort.id);
    // Subscribers that existed before the cohort are members from its start. Only those that match
    // after a later change enter it with an event.
    await projector.waitUntilProjected(
      directory.getEntry(stream.name)?.createdAtPosition ?? 0n,
      signal,
    );
    let members = 0;
    for (let after: string | undefined = ''; after !== undefined;) {
      signal.throwIfAborted();
      const found = await store.listMatching(cohort, now, { after, limit: CHUNK_MEMBERS });
      if (found.length > 0) await this.appendChunk(cohort, found);
      members += found.length;
      after = found.length < CHUNK_MEMBERS ? undefined : found.at(-1);
    }
    members += await this.fillFromTestClocks(cohort, signal);
    const context = this.writes.createContext(cohort.scope);
    const { revision } = await aggregates.run(cohortAggregate, stream, context, ({ state }) =>
      completeBackfill(members)(state),
    );
    await directory.waitForRevision(stream.name, revision, VISIBILITY_TIMEOUT_MS);
    await projector.waitUntilProjected(this.writes.lastPosition, signal);
  }

  /**
   * Fills a cohort with matching subscribers of test clocks. SQL cannot select them, because it
   * does not know the time of their clock.
   */
  private async fillFromTestClocks(cohort: KnownCohort, signal: AbortSignal): Promise<number> {
    if (!usesTenure(cohort.definition)) return 0;
    const clocked = await this.parts.store.listUnderTestClock(scopeName(cohort.scope));
    const times = await this.readClockTimes(clocked);
    const found = clocked
      .filter((subject) => {
        const now = times.get(subject.testClock);
        return now !== undefined && matchesDefinition(cohort.definition, subject, now);
      })
      .map(({ subscriberId }) => subscriberId);
    for (let i = 0; i < found.length; i += CHUNK_MEMBERS) {
      signal.throwIfAborted();
      await this.appendChunk(cohort, found.slice(i, i + CHUNK_MEMBERS));
    }
    return found.length;
  }

  /** Reads the times of the test clocks of these subscribers. */
  private async readClockTimes(
    clocked: readonly ListedSubject[],
  ): Promise<ReadonlyMap<string | null, Instant>> {
    const times = new Map<string | null, Instant>();
    for (const id of new Set(clocked.map(({ testClock }) => testClock))) {
      if (id === null) continue;
      const { state } = await this.parts.aggregates.load(clockAggregate, streams.clock(id));
      if (state.status !== 'absent') times.set(id, getTime(state));
    }
    return times;
  }

  private async appendChunk({ id, scope }: KnownCohort, found: readonly string[]): Promise<void> {
    const chunk: CohortBackfillFact = {
      type: 'cohort.backfilled',
      data: { scope: scopeName(scope), cohort_id: id, subscriber_ids: [...found] },
    };
    await this.parts.liveRequests.waitForTurn(found.length / MEMBERS_PER_STEP);
    await this.parts.aggregates.run(
      backfillAggregate,
      streams.cohortBackfill(id),
      this.writes.createContext(scope),
      () => [chunk],
    );
  }
}
