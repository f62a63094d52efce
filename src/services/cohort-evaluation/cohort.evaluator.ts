import { setTimeout as delay } from 'node:timers/promises';
import { reportFailure, warnOfFailure } from '../../event-store/failures';
import type { Aggregates } from '../../event-store/aggregates';
import { streams } from '../../event-store/streams';
import { createEntropy, newCommandId } from '../../event-store/entropy';
import { CommandDraft } from '../../kernel/draft';
import { createSystemOrigin, type Scope, scopeName, type TenantContext } from '../../kernel/scope';
import type { Clock, Instant } from '../../kernel/time';
import { isOutage } from '../../event-store/store-outage';
import type { LiveRequests } from '../../ops/live-requests';
import { within } from '../../ops/within';
import type { Projector } from '../../projections/projector';
import { clockAggregate, timeOf } from '../../domain/clocks/clock.decider';
import type { Triggering } from '../motion-triggering/triggering';
import {
  subscriberAggregate,
  type Subscriber,
} from '../../domain/subscriber-stream/subscriber.aggregate';
import type { TenantDirectory } from '../../directories/tenant.directory';
import {
  backfillAggregate,
  cohortAggregate,
  completeBackfill,
  type KnownCohort,
} from '../../domain/cohorts/cohort.decider';
import type { CohortDirectory } from '../../directories/cohort.directory';
import type { CohortBackfillFact, MoveReason } from '../../domain/cohorts/cohort.events';
import type { ChangeKey, CohortStore, Evaluation, ListedSubject } from './cohort.store';
import { hasTenure, matches, movedByTime, subjectOf } from '../../domain/cohorts/cohort-matcher';
import { moveMember } from './cohort-moving';

const CHANGES_MAX = 1_000;
const BACKFILL_CHUNK = 1_000;
const DIFFERENCES_MAX = 10_000;
const MOVES_AT_ONCE = 32;
/** Tenure boundaries are looked at this often; changes, and new definitions, at once. */
const LOOK_EVERY_MS = 500;
/** However often something is projected: a little less, so that an early timer leaves no look out. */
const LOOKS_APART_MS = 400;
/** The same where time alone moves nobody. */
const LOOKS_FAR_APART_MS = 60_000;
const FAILURE_PAUSE_MS = 1_000;
/** So many members, written in one append, are as much work as one imported subscriber. */
const BACKFILLED_AS_ONE_STEP = 20;
const KNOWN_WITHIN_MS = 5_000;

interface EvaluatorParts {
  readonly aggregates: Aggregates;
  readonly projector: Projector;
  readonly store: CohortStore;
  readonly directory: CohortDirectory;
  readonly tenants: TenantDirectory;
  readonly clock: Clock;
  readonly triggering: Triggering;
  /** Members that are found first must not slow live requests. */
  readonly liveRequests: LiveRequests;
}

/** A membership that the read model has otherwise than the definition. */
interface Due {
  readonly cohort: KnownCohort;
  readonly subscriberId: string;
  readonly listed: boolean;
  readonly reason: MoveReason;
}

/**
 * Keeps memberships true (D-54). Three causes move a subscriber: a change of its own, a tenure
 * boundary, a changed definition. Each is found in the read model and decided in the subscriber's
 * stream, on its state there, so stating a move twice (after a crash, by two processes) states it
 * once. What is done is remembered only after the moves are stored. Where a test clock advances, the
 * moves are part of that (`CohortWatcher`), and here only what it could not know of is made good.
 */
export class CohortEvaluator {
  /** Log position of the last move of this process. */
  private lastWritten = -1n;
  /** The last look at definitions and tenures; `settled` = time alone moves nobody. */
  private looked = { version: -1, atMs: -Infinity, settled: false };
  /** The last change that was followed; null = as SQL has it. */
  private followed: ChangeKey | null = null;
  /** Up to where there was no cohort that a change could concern. */
  private skippedTo = -1n;
  /** Up to where there is no change that was not followed. */
  private seenTo = -1n;

  constructor(private readonly parts: EvaluatorParts) {}

  async run(signal: AbortSignal): Promise<void> {
    await this.parts.directory.whenReady(signal).catch(() => undefined);
    while (!signal.aborted) {
      const { projector } = this.parts;
      const seen = projector.projectedTo();
      try {
        // Who is a member by a backfill is in the read models alone: behind the log, they do not say.
        if (projector.isCurrent()) await this.pass(signal);
        else this.forget();
      } catch (error) {
        if (signal.aborted) return;
        this.forget();
        warnOfFailure('cohort evaluation will be repeated', 'cohorts', error);
        await delay(FAILURE_PAUSE_MS, undefined, { signal }).catch(() => undefined);
      }
      const next = (pause: AbortSignal): Promise<void> => projector.waitUntilBeyond(seen, pause);
      await within(signal, LOOK_EVERY_MS, next).catch(() => undefined);
    }
  }

  /** What another process may have done meanwhile is read anew. */
  private forget(): void {
    this.followed = null;
    this.seenTo = -1n;
    this.looked = { version: -1, atMs: -Infinity, settled: false };
  }

  private async pass(signal: AbortSignal): Promise<void> {
    if (this.parts.directory.listAll().length === 0) {
      this.skippedTo = this.parts.projector.projectedTo();
      return;
    }
    const faults = this.isLookDue() ? await this.look(signal) : [];
    await this.followChanges(signal);
    // It is tried again after a pause; the cohorts of others did not wait for it.
    if (faults.length > 0) throw faults[0] as Error;
  }

  private isLookDue(): boolean {
    const { version, atMs } = this.looked;
    const apartMs = performance.now() - atMs;
    if (version !== this.parts.directory.version) return true;
    return apartMs >= (this.looked.settled ? LOOKS_FAR_APART_MS : LOOKS_APART_MS);
  }

  /** At each definition, and at who crossed its tenure boundaries; answers what went wrong. */
  private async look(signal: AbortSignal): Promise<unknown[]> {
    const { store, directory } = this.parts;
    const { version } = directory;
    this.looked = { version, atMs: performance.now(), settled: false };
    const cohorts = directory.listAll();
    const evaluations = await store.evaluations();
    const settled = cohorts.every(
      (cohort) => !hasTenure(cohort.definition) && isSettled(cohort, evaluations.get(cohort.id)),
    );
    this.looked = { ...this.looked, settled };
    const crossed = await this.crossedAmong(cohorts, evaluations);
    const faults: unknown[] = [];
    for (const cohort of cohorts) {
      signal.throwIfAborted();
      const done = evaluations.get(cohort.id);
      const work = isSettled(cohort, done)
        ? this.checkTenures(cohort, done, crossed)
        : this.settle(cohort, signal);
      await work.catch((error: unknown) => {
        if (signal.aborted || isOutage(error)) throw error;
        reportFailure('a cohort was not evaluated', cohort.id, error);
        faults.push(error);
      });
    }
    return faults;
  }

  /** Where nobody crosses a boundary there is nothing to decide, and nothing to remember. */
  private crossedAmong(
    cohorts: readonly KnownCohort[],
    evaluations: ReadonlyMap<string, Evaluation>,
  ): Promise<ReadonlySet<string>> {
    const looks = cohorts.flatMap((cohort) => {
      const done = evaluations.get(cohort.id);
      const looked = hasTenure(cohort.definition) && isSettled(cohort, done);
      return looked ? [{ cohort, since: done.checkedUntil }] : [];
    });
    return this.parts.store.crossedAmong(looks, this.parts.clock.now());
  }

  /** A new cohort is filled; a changed definition moves whoever it concerns. */
  private async settle(cohort: KnownCohort, signal: AbortSignal): Promise<void> {
    const now = this.parts.clock.now();
    if (!cohort.backfilled) await this.backfill(cohort, now, signal);
    const decided = await this.moveDifferent(cohort, now, signal);
    await this.parts.projector.waitUntilProjected(this.lastWritten, signal);
    // What is left to an advance is looked at again after it: the reason is still the definition.
    if (decided) await this.parts.store.saveEvaluation(cohort, now);
  }

  /** False where some are left to the advance of their test clock. */
  private async moveDifferent(
    cohort: KnownCohort,
    now: Instant,
    signal: AbortSignal,
  ): Promise<boolean> {
    // Who changed while a new cohort was filled is found here too.
    const reason: MoveReason =
      cohort.definitionVersion === 1 ? 'subscriber_changed' : 'definition_changed';
    let decided = true;
    let after = '';
    for (;;) {
      signal.throwIfAborted();
      const page = { after, limit: DIFFERENCES_MAX };
      const found = await this.parts.store.differences(cohort, now, page);
      const due = found.map((difference) => ({ ...difference, cohort, reason }));
      decided = (await this.moveAll(due)) && decided;
      after = found.at(-1)?.subscriberId ?? '';
      if (found.length < DIFFERENCES_MAX) break;
    }
    if (!hasTenure(cohort.definition)) return decided;
    const clocked = await this.parts.store.clocked(scopeName(cohort.scope));
    return (await this.moveAll(await this.dueAmong(clocked, [cohort], reason))) && decided;
  }

  private async backfill(cohort: KnownCohort, now: Instant, signal: AbortSignal): Promise<void> {
    const { store, projector, directory, aggregates } = this.parts;
    const stream = streams.cohort(cohort.id);
    // Who was there before the cohort is a member from the start; a later change of theirs is no entry.
    await projector.waitUntilProjected(
      directory.getEntry(stream.name)?.createdAtPosition ?? 0n,
      signal,
    );
    let members = 0;
    for (let after: string | undefined = ''; after !== undefined;) {
      signal.throwIfAborted();
      const found = await store.matching(cohort, now, { after, limit: BACKFILL_CHUNK });
      if (found.length > 0) await this.appendChunk(cohort, found);
      members += found.length;
      after = found.length < BACKFILL_CHUNK ? undefined : found.at(-1);
    }
    members += await this.backfillClocked(cohort, signal);
    const context = this.context(cohort.scope);
    const { revision } = await aggregates.run(cohortAggregate, stream, context, ({ state }) =>
      completeBackfill(members)(state),
    );
    await directory.whenKnown(stream.name, revision, KNOWN_WITHIN_MS);
    await projector.waitUntilProjected(this.lastWritten, signal);
  }

  /** Whose time a test clock has matches by that; which clock says what, no row knows. */
  private async backfillClocked(cohort: KnownCohort, signal: AbortSignal): Promise<number> {
    if (!hasTenure(cohort.definition)) return 0;
    const clocked = await this.parts.store.clocked(scopeName(cohort.scope));
    const times = await this.timesOf(clocked);
    const found = clocked
      .filter((subject) => {
        const now = times.get(subject.testClock);
        return now !== undefined && matches(cohort.definition, subject, now);
      })
      .map(({ subscriberId }) => subscriberId);
    for (let i = 0; i < found.length; i += BACKFILL_CHUNK) {
      signal.throwIfAborted();
      await this.appendChunk(cohort, found.slice(i, i + BACKFILL_CHUNK));
    }
    return found.length;
  }

  /** What the test clocks of these subscribers say. */
  private async timesOf(
    clocked: readonly ListedSubject[],
  ): Promise<ReadonlyMap<string | null, Instant>> {
    const times = new Map<string | null, Instant>();
    for (const id of new Set(clocked.map(({ testClock }) => testClock))) {
      if (id === null) continue;
      const { state } = await this.parts.aggregates.load(clockAggregate, streams.clock(id));
      if (state.status !== 'absent') times.set(id, timeOf(state));
    }
    return times;
  }

  private async appendChunk({ id, scope }: KnownCohort, found: readonly string[]): Promise<void> {
    const chunk: CohortBackfillFact = {
      type: 'cohort.backfilled',
      data: { scope: scopeName(scope), cohort_id: id, subscriber_ids: [...found] },
    };
    await this.parts.liveRequests.turn(found.length / BACKFILLED_AS_ONE_STEP);
    await this.parts.aggregates.run(
      backfillAggregate,
      streams.cohortBackfill(id),
      this.context(scope),
      () => [chunk],
    );
  }

  private async checkTenures(
    cohort: KnownCohort,
    { checkedUntil }: Evaluation,
    crossed: ReadonlySet<string>,
  ): Promise<void> {
    if (!crossed.has(cohort.id)) return;
    const now = this.parts.clock.now();
    const subjects = await this.parts.store.crossed(cohort, checkedUntil, now);
    await this.moveAll(await this.dueAmong(subjects, [cohort], 'tenure'));
    await this.parts.store.saveEvaluation(cohort, now);
  }

  /** Everyone whose record changed since the last look, against every filled cohort. */
  private async followChanges(signal: AbortSignal): Promise<void> {
    const { store, directory, projector } = this.parts;
    const upTo = projector.projectedTo();
    if (upTo <= this.seenTo) return;
    let after = await this.placeAmongChanges();
    for (let isRest = false; !isRest;) {
      signal.throwIfAborted();
      const changed = await store.changedAfter(after, CHANGES_MAX);
      const last = changed.at(-1);
      if (last === undefined) break;
      const cohorts = directory.listAll().filter(({ backfilled }) => backfilled);
      await this.moveAll(await this.dueAmong(changed, cohorts, 'subscriber_changed'));
      await store.saveWatermark(last);
      this.followed = after = last;
      isRest = changed.length < CHANGES_MAX;
    }
    this.seenTo = upTo;
  }

  /** Where to go on. A cohort that is new is filled with whoever changed before it was there. */
  private async placeAmongChanges(): Promise<ChangeKey> {
    this.followed ??= await this.parts.store.watermark();
    if (this.followed.changedPosition < this.skippedTo) {
      this.followed = { changedPosition: this.skippedTo, scope: '', subscriberId: '' };
    }
    return this.followed;
  }

  private async dueAmong(
    subjects: readonly ListedSubject[],
    cohorts: readonly KnownCohort[],
    reason: MoveReason,
  ): Promise<Due[]> {
    const scopes = new Set(cohorts.map(({ scope }) => scopeName(scope)));
    const concerned = subjects.filter(({ scope }) => scopes.has(scope));
    if (concerned.length === 0) return [];
    const now = this.parts.clock.now();
    const members = await this.parts.store.membersAmong(concerned.map((s) => s.subscriberId));
    return cohorts.flatMap((cohort) =>
      concerned.flatMap((subject) => {
        if (subject.scope !== scopeName(cohort.scope)) return [];
        const { subscriberId } = subject;
        const listed = members.has(`${cohort.id} ${subscriberId}`);
        const sure = subject.testClock === null || !hasTenure(cohort.definition);
        return sure && matches(cohort.definition, subject, now) === listed
          ? []
          : [{ cohort, subscriberId, listed, reason }];
      }),
    );
  }

  /** False where some are left to the advance of their test clock. */
  private async moveAll(due: readonly Due[]): Promise<boolean> {
    let decided = true;
    for (let i = 0; i < due.length; i += MOVES_AT_ONCE) {
      const batch = due.slice(i, i + MOVES_AT_ONCE);
      const outcomes = await Promise.all(batch.map((each) => this.moveOrTell(each)));
      decided &&= outcomes.every((done) => done);
    }
    return decided;
  }

  /** What breaks at one subscriber, and is no outage, stands before no other's moves. */
  private moveOrTell(due: Due): Promise<boolean> {
    return this.move(due).catch((error: unknown) => {
      if (isOutage(error)) throw error;
      const about = { cohort_id: due.cohort.id };
      reportFailure('a move is left out until the next change', due.subscriberId, error, about);
      return true;
    });
  }

  /** Decided on the subscriber's own state: the read model only said that there may be a move. */
  private async move(due: Due): Promise<boolean> {
    const { cohort, subscriberId, listed } = due;
    const { aggregates, triggering } = this.parts;
    const stream = streams.subscriber(cohort.scope, subscriberId);
    const context = this.context(cohort.scope);
    let decided = true;
    await aggregates.run(subscriberAggregate, stream, context, async ({ state, now, entropy }) => {
      if (this.isDeleted(cohort)) return [];
      decided = !(await this.isAdvancing(state));
      if (!decided) return [];
      const draft = new CommandDraft(subscriberAggregate, state, now);
      const reason = reasonOf(due, state, now);
      await moveMember(draft, { cohort, subscriberId, listed, reason, entropy }, triggering);
      return draft.facts;
    });
    return decided;
  }

  /** Since it was looked at: its moves may be many, and take a while. */
  private isDeleted({ id }: KnownCohort): boolean {
    return this.parts.directory.get(streams.cohort(id).name)?.status === 'deleted';
  }

  /** An advance brings its subscribers up to date itself, every move at its own instant. */
  private async isAdvancing({ profile }: Subscriber): Promise<boolean> {
    if (profile.status !== 'known' || profile.testClock === null) return false;
    const stream = streams.clock(profile.testClock);
    const { state } = await this.parts.aggregates.load(clockAggregate, stream);
    return state.status === 'advancing';
  }

  private context(scope: Scope): TenantContext {
    const commandId = newCommandId();
    return {
      scope,
      tenant: { id: scope.tenantId, name: this.parts.tenants.require(scope.tenantId).name },
      commandId,
      now: this.parts.clock.now(),
      actor: 'system',
      origin: createSystemOrigin('cohorts'),
      entropy: createEntropy(commandId),
      resumed: false,
      wrote: (position) => {
        if (position > this.lastWritten) this.lastWritten = position;
      },
    };
  }
}

/** Whether the members follow the definition as it is. */
const isSettled = (cohort: KnownCohort, done: Evaluation | undefined): done is Evaluation =>
  done?.definitionVersion === cohort.definitionVersion;

/** A test clock that moved draws attention to its subscribers like a change of theirs. */
const reasonOf = ({ cohort, reason }: Due, state: Subscriber, now: Instant): MoveReason => {
  const { changedAt: since } = state;
  const subject = subjectOf(state);
  const byTime =
    reason === 'subscriber_changed' &&
    since !== null &&
    subject !== null &&
    movedByTime(cohort.definition, subject, { since, now });
  return byTime ? 'tenure' : reason;
};
