import { reportFailure, warnOfFailure } from '../../event-store/failures';
import { streams } from '../../event-store/streams';
import { CommandDraft } from '../../kernel/draft';
import { scopeName } from '../../kernel/scope';
import type { Clock, Instant } from '../../kernel/time';
import { isOutage } from '../../event-store/store-outage';
import { pollUntilStopped, waitAtMost } from '../../ops/polling';
import { clockAggregate } from '../../domain/clocks/clock.decider';
import type { Triggering } from '../motion-triggering/triggering';
import {
  subscriberAggregate,
  type Subscriber,
} from '../../domain/subscriber-stream/subscriber.aggregate';
import type { TenantDirectory } from '../../directories/tenant.directory';
import type { KnownCohort } from '../../domain/cohorts/cohort.decider';
import type { MoveReason } from '../../domain/cohorts/cohort.events';
import { CohortFilling, type FillingParts } from './cohort-filling';
import { CohortWrites } from './cohort-writes';
import type { ChangeKey, Evaluation, ListedSubject } from './cohort.store';
import {
  usesTenure,
  matchesDefinition,
  wasMovedByTime,
  toSubject,
} from '../../domain/cohorts/cohort-matcher';
import { moveMember } from './cohort-moving';

const CHANGES_MAX = 1_000;
const DIFFERENCES_MAX = 10_000;
const CONCURRENT_MOVES = 32;
/** Interval for checking tenure boundaries. Changes and new definitions are processed at once. */
const POLL_MS = 500;
/**
 * Minimum time between two checks. It is a little shorter than POLL_MS, so that a timer that fires
 * early does not skip a check.
 */
const CHECK_INTERVAL_MS = 400;
/** Minimum time between two checks if no cohort depends on time. */
const IDLE_CHECK_INTERVAL_MS = 60_000;
const FAILURE_PAUSE_MS = 1_000;

interface EvaluatorParts extends FillingParts {
  readonly tenants: TenantDirectory;
  readonly clock: Clock;
  readonly triggering: Triggering;
}

/** A subscriber whose membership in the read model may differ from the definition. */
interface PossibleMove {
  readonly cohort: KnownCohort;
  readonly subscriberId: string;
  readonly listed: boolean;
  readonly reason: MoveReason;
}

/**
 * Keeps memberships in line with the definitions (D-54). A subscriber moves for three reasons: it
 * has changed, it crossed a tenure boundary, or the definition has changed. Candidates come from
 * the read model, and each move is decided in the subscriber's stream. So a move that is decided
 * twice, after a crash or by two processes, is stored once. Progress is stored after the moves.
 * While a test clock advances, `CohortWatcher` moves its subscribers, and the evaluator moves only
 * those that the watcher could not know.
 */
export class CohortEvaluator {
  private readonly writes: CohortWrites;
  private readonly filling: CohortFilling;
  /**
   * The last check of definitions and tenures. `settled` is true if all members match the
   * definitions and no definition depends on time.
   */
  private lastCheck = { version: -1, atMs: -Infinity, settled: false };
  /** The last change that was processed; null if it must be read from the database. */
  private lastFollowed: ChangeKey | null = null;
  /** Changes up to this position need no processing, because there was no cohort. */
  private skippedTo = -1n;
  /** All changes up to this position are processed. */
  private followedTo = -1n;

  constructor(private readonly parts: EvaluatorParts) {
    this.writes = new CohortWrites(parts.tenants, parts.clock);
    this.filling = new CohortFilling(parts, this.writes);
  }

  async run(signal: AbortSignal): Promise<void> {
    await this.parts.directory.waitUntilReady(signal).catch(() => undefined);
    const { projector } = this.parts;
    let seen = -1n;
    const evaluateIfCurrent = async (): Promise<void> => {
      seen = projector.projectedTo();
      // The members of a filled cohort are only in the read models, so these must be up to date.
      if (projector.isCurrent()) await this.evaluateOnce(signal);
      else this.resetProgress();
    };
    await pollUntilStopped(signal, evaluateIfCurrent, {
      everyMs: POLL_MS,
      afterFailureMs: FAILURE_PAUSE_MS,
      wait: (ms, stop) => waitAtMost(ms, stop, (end) => projector.waitUntilBeyond(seen, end)),
      onFailure: (error) => {
        this.resetProgress();
        warnOfFailure('cohorts cannot be evaluated: it is tried again', 'cohorts', error);
      },
    });
  }

  /** Discards the progress in memory, because another process may have continued. */
  private resetProgress(): void {
    this.lastFollowed = null;
    this.followedTo = -1n;
    this.lastCheck = { version: -1, atMs: -Infinity, settled: false };
  }

  private async evaluateOnce(signal: AbortSignal): Promise<void> {
    if (this.parts.directory.listAll().length === 0) {
      this.skippedTo = this.parts.projector.projectedTo();
      return;
    }
    const faults = this.isCheckDue() ? await this.checkCohorts(signal) : [];
    await this.followChanges(signal);
    // The first error is rethrown, so that the caller tries again after a pause. The other cohorts
    // are evaluated by now.
    if (faults.length > 0) throw faults[0] as Error;
  }

  private isCheckDue(): boolean {
    const { version, atMs } = this.lastCheck;
    const apartMs = performance.now() - atMs;
    if (version !== this.parts.directory.version) return true;
    return apartMs >= (this.lastCheck.settled ? IDLE_CHECK_INTERVAL_MS : CHECK_INTERVAL_MS);
  }

  /**
   * Checks each definition, and the subscribers that crossed its tenure boundaries. Returns the
   * errors.
   */
  private async checkCohorts(signal: AbortSignal): Promise<unknown[]> {
    const { store, directory } = this.parts;
    const { version } = directory;
    this.lastCheck = { version, atMs: performance.now(), settled: false };
    const cohorts = directory.listAll();
    const evaluations = await store.readEvaluations();
    const settled = cohorts.every(
      (cohort) => !usesTenure(cohort.definition) && isEvaluated(cohort, evaluations.get(cohort.id)),
    );
    this.lastCheck = { ...this.lastCheck, settled };
    const crossed = await this.findCrossed(cohorts, evaluations);
    const faults: unknown[] = [];
    for (const cohort of cohorts) {
      signal.throwIfAborted();
      const done = evaluations.get(cohort.id);
      const work = isEvaluated(cohort, done)
        ? this.checkTenures(cohort, done, crossed)
        : this.applyDefinition(cohort, signal);
      await work.catch((error: unknown) => {
        if (signal.aborted || isOutage(error)) throw error;
        reportFailure(
          'a cohort cannot be evaluated: it is tried again after a pause',
          cohort.id,
          error,
        );
        faults.push(error);
      });
    }
    return faults;
  }

  /**
   * Returns the cohorts with subscribers that crossed a tenure boundary. The others need no check.
   */
  private findCrossed(
    cohorts: readonly KnownCohort[],
    evaluations: ReadonlyMap<string, Evaluation>,
  ): Promise<ReadonlySet<string>> {
    const checks = cohorts.flatMap((cohort) => {
      const done = evaluations.get(cohort.id);
      const needsCheck = usesTenure(cohort.definition) && isEvaluated(cohort, done);
      return needsCheck ? [{ cohort, since: done.checkedUntil }] : [];
    });
    return this.parts.store.findCrossedCohorts(checks, this.parts.clock.now());
  }

  /** Fills a new cohort, or moves the subscribers that a changed definition concerns. */
  private async applyDefinition(cohort: KnownCohort, signal: AbortSignal): Promise<void> {
    const now = this.parts.clock.now();
    if (!cohort.backfilled) await this.filling.fill(cohort, now, signal);
    const decided = await this.moveDifferences(cohort, now, signal);
    await this.parts.projector.waitUntilProjected(this.writes.lastPosition, signal);
    // If some subscribers will be moved by the advance of their test clock, the definition stays
    // unevaluated, so that they are checked again after it.
    if (decided) await this.parts.store.saveEvaluation(cohort, now);
  }

  /** Returns false if some subscribers are moved later, by the advance of their test clock. */
  private async moveDifferences(
    cohort: KnownCohort,
    now: Instant,
    signal: AbortSignal,
  ): Promise<boolean> {
    // For a new cohort this also finds subscribers that changed while it was filled.
    const reason: MoveReason =
      cohort.definitionVersion === 1 ? 'subscriber_changed' : 'definition_changed';
    let decided = true;
    let after = '';
    for (;;) {
      signal.throwIfAborted();
      const page = { after, limit: DIFFERENCES_MAX };
      const found = await this.parts.store.listDifferences(cohort, now, page);
      const due = found.map((difference) => ({ ...difference, cohort, reason }));
      decided = (await this.moveAll(due)) && decided;
      const last = found.at(-1);
      if (last === undefined || found.length < DIFFERENCES_MAX) break;
      after = last.subscriberId;
    }
    if (!usesTenure(cohort.definition)) return decided;
    const clocked = await this.parts.store.listUnderTestClock(scopeName(cohort.scope));
    return (await this.moveAll(await this.findPossibleMoves(clocked, [cohort], reason))) && decided;
  }

  private async checkTenures(
    cohort: KnownCohort,
    { checkedUntil }: Evaluation,
    crossed: ReadonlySet<string>,
  ): Promise<void> {
    if (!crossed.has(cohort.id)) return;
    const now = this.parts.clock.now();
    const subjects = await this.parts.store.listCrossed(cohort, checkedUntil, now);
    await this.moveAll(await this.findPossibleMoves(subjects, [cohort], 'tenure'));
    await this.parts.store.saveEvaluation(cohort, now);
  }

  /** Checks every subscriber that changed since the last check against every filled cohort. */
  private async followChanges(signal: AbortSignal): Promise<void> {
    const { store, directory, projector } = this.parts;
    const upTo = projector.projectedTo();
    if (upTo <= this.followedTo) return;
    let after = await this.findStart();
    for (let isRest = false; !isRest;) {
      signal.throwIfAborted();
      const changed = await store.listChangedAfter(after, CHANGES_MAX);
      const last = changed.at(-1);
      if (last === undefined) break;
      const cohorts = directory.listAll().filter(({ backfilled }) => backfilled);
      await this.moveAll(await this.findPossibleMoves(changed, cohorts, 'subscriber_changed'));
      await store.saveWatermark(last);
      this.lastFollowed = after = last;
      isRest = changed.length < CHANGES_MAX;
    }
    this.followedTo = upTo;
  }

  /**
   * Returns the change after which processing continues. Changes before a new cohort need none,
   * because filling it covers them.
   */
  private async findStart(): Promise<ChangeKey> {
    this.lastFollowed ??= await this.parts.store.readWatermark();
    if (this.lastFollowed.changedPosition < this.skippedTo) {
      this.lastFollowed = { changedPosition: this.skippedTo, scope: '', subscriberId: '' };
    }
    return this.lastFollowed;
  }

  private async findPossibleMoves(
    subjects: readonly ListedSubject[],
    cohorts: readonly KnownCohort[],
    reason: MoveReason,
  ): Promise<PossibleMove[]> {
    const scopes = new Set(cohorts.map(({ scope }) => scopeName(scope)));
    const concerned = subjects.filter(({ scope }) => scopes.has(scope));
    if (concerned.length === 0) return [];
    const now = this.parts.clock.now();
    const members = await this.parts.store.findMembers(concerned.map((s) => s.subscriberId));
    return cohorts.flatMap((cohort) =>
      concerned.flatMap((subject) => {
        if (subject.scope !== scopeName(cohort.scope)) return [];
        const { subscriberId } = subject;
        const listed = members.has(`${cohort.id} ${subscriberId}`);
        const sure = subject.testClock === null || !usesTenure(cohort.definition);
        return sure && matchesDefinition(cohort.definition, subject, now) === listed
          ? []
          : [{ cohort, subscriberId, listed, reason }];
      }),
    );
  }

  /** Returns false if some subscribers are moved later, by the advance of their test clock. */
  private async moveAll(due: readonly PossibleMove[]): Promise<boolean> {
    let decided = true;
    for (let i = 0; i < due.length; i += CONCURRENT_MOVES) {
      const batch = due.slice(i, i + CONCURRENT_MOVES);
      const outcomes = await Promise.all(batch.map((each) => this.moveOrLog(each)));
      decided &&= outcomes.every((done) => done);
    }
    return decided;
  }

  /**
   * Moves one subscriber. A failure for one subscriber must not block the others; outages are
   * rethrown.
   */
  private moveOrLog(due: PossibleMove): Promise<boolean> {
    return this.move(due).catch((error: unknown) => {
      if (isOutage(error)) throw error;
      const about = { cohort_id: due.cohort.id };
      reportFailure(
        'a subscriber cannot be moved into or out of a cohort: it is tried again at its next change',
        due.subscriberId,
        error,
        about,
      );
      return true;
    });
  }

  /** Moves one subscriber if its own stream requires it. The read model only suggests the move. */
  private async move(due: PossibleMove): Promise<boolean> {
    const { cohort, subscriberId, listed } = due;
    const { aggregates, triggering } = this.parts;
    const stream = streams.subscriber(cohort.scope, subscriberId);
    const context = this.writes.createContext(cohort.scope);
    let decided = true;
    await aggregates.run(subscriberAggregate, stream, context, async ({ state, now, entropy }) => {
      if (this.isDeleted(cohort)) return [];
      decided = !(await this.isAdvancing(state));
      if (!decided) return [];
      const draft = new CommandDraft(subscriberAggregate, state, now);
      const reason = chooseReason(due, state, now);
      await moveMember(draft, { cohort, subscriberId, listed, reason, entropy }, triggering);
      return draft.facts;
    });
    return decided;
  }

  /** True if the cohort was deleted while its moves were in progress. */
  private isDeleted({ id }: KnownCohort): boolean {
    return this.parts.directory.get(streams.cohort(id).name)?.status === 'deleted';
  }

  /**
   * True if the subscriber's test clock is advancing. The advance then makes all moves, each at its
   * own instant.
   */
  private async isAdvancing({ profile }: Subscriber): Promise<boolean> {
    if (profile.status !== 'known' || profile.testClock === null) return false;
    const stream = streams.clock(profile.testClock);
    const { state } = await this.parts.aggregates.load(clockAggregate, stream);
    return state.status === 'advancing';
  }
}

/** True if the members were compared with the current definition. */
const isEvaluated = (cohort: KnownCohort, done: Evaluation | undefined): done is Evaluation =>
  done?.definitionVersion === cohort.definitionVersion;

/**
 * Returns the reason of a move. After its test clock has advanced, a subscriber counts as changed
 * even if only time has passed.
 */
const chooseReason = (
  { cohort, reason }: PossibleMove,
  state: Subscriber,
  now: Instant,
): MoveReason => {
  const { changedAt: since } = state;
  const subject = toSubject(state);
  const byTime =
    reason === 'subscriber_changed' &&
    since !== null &&
    subject !== null &&
    wasMovedByTime(cohort.definition, subject, { since, now });
  return byTime ? 'tenure' : reason;
};
