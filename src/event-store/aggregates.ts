import { setTimeout as delay } from 'node:timers/promises';
import { clockAggregate, getTime } from '../domain/clocks/clock.decider';
import type { Dated, Fact } from '../kernel/decider';
import { DomainError } from '../kernel/errors';
import type { Entropy } from '../kernel/ids';
import type { CommandContext, TenantContext } from '../kernel/scope';
import type { Instant } from '../kernel/time';
import { append, type NewEvent, RevisionConflict } from './append';
import type { EventCatalogue } from './catalogue';
import type { EventStoreConnection } from './connection';
import { EventCodec } from './event-codec';
import { KeyedQueue } from './keyed-queue';
import { readPages, readStream } from './read';
import {
  allProducedEvents,
  planSteps,
  type DatedFact,
  addDates,
  type CommandStep,
  type StepOutcome,
  markRepeats,
} from './steps';
import type { Aggregate } from '../kernel/aggregate';
import { CONFLICT_RETRY } from '../kernel/retry-policies';
import { StateCache } from './state-cache';
import { type Stream, streams } from './streams';
import type { Vault } from './vault';

const { conflictsMax: CONFLICTS_MAX, freeConflicts: FREE_CONFLICTS } = CONFLICT_RETRY;
const NO_COMMANDS: ReadonlySet<string> = new Set();

/** The input of a decision. */
export interface DecisionInput<State> {
  readonly state: State;
  readonly now: Instant;
  readonly entropy: Entropy;
}

export type Decide<State, F extends Fact> = (
  moment: DecisionInput<State>,
) => readonly F[] | Promise<readonly F[]>;

/** The result of a command. */
export interface Committed<State, F extends Fact> {
  readonly state: State;
  /** The facts of this command; empty if there was nothing to do. */
  readonly facts: readonly Dated<F>[];
  /** The last revision of the stream; -1 if it does not exist. */
  readonly revision: number;
}

interface Loaded<State> {
  readonly state: State;
  readonly revision: number;
}

interface Refreshed<State> extends Loaded<State> {
  /** Ids of the commands whose facts were read. */
  readonly commands: ReadonlySet<string>;
}

/**
 * Runs commands on aggregates: it loads the state, decides, and appends at the revision that it
 * read. After a conflict it loads and decides again.
 */
export class Aggregates {
  private readonly cache = new StateCache();
  private readonly queue = new KeyedQueue();
  private readonly codec: EventCodec;

  constructor(
    private readonly connection: EventStoreConnection,
    vault: Vault,
    catalogue: EventCatalogue,
  ) {
    this.codec = new EventCodec(vault, catalogue);
  }

  /**
   * Runs a command. Commands on one stream run one after the other in this process. A command of
   * another process shows as a conflict.
   */
  run<State, F extends Fact>(
    aggregate: Aggregate<State, F>,
    stream: Stream,
    context: CommandContext | TenantContext,
    decide: Decide<State, F>,
  ): Promise<Committed<State, F>> {
    return this.queue.run(stream.name, async () => {
      const repeated = context.resumed ? await this.findRepeated(aggregate, stream, context) : null;
      return repeated ?? this.decideUntilAppended({ aggregate, stream, context, decide });
    });
  }

  /** Runs several commands on one stream in one append and returns the outcome of each. */
  runAll<State, F extends Fact>(
    aggregate: Aggregate<State, F>,
    stream: Stream,
    context: CommandContext | TenantContext,
    steps: readonly CommandStep<State, F>[],
  ): Promise<StepOutcome[]> {
    return this.queue.run(stream.name, async () => {
      const begin = { aggregate, stream, context, decide: () => [] };
      let known = this.getCached<State>(stream) ?? (await this.loadFirst(begin));
      let isCurrent = false;
      for (let conflicts = 0; conflicts < CONFLICTS_MAX; conflicts += 1) {
        const { state } = known;
        const now = (await this.testClockTime(aggregate, state)) ?? context.now;
        const plan = planSteps({ decider: aggregate, state, now }, steps);
        const { datedFacts, outcomes } = plan;
        // A refusal, or a step without facts, may be based on a state that is no longer current.
        if (isCurrent || allProducedEvents(plan)) {
          const earlier = outcomes.includes('nothing')
            ? await this.readCommandIds(stream)
            : NO_COMMANDS;
          const commit = { aggregate, stream, context, stated: datedFacts, known };
          if (datedFacts.length === 0 || (await this.tryCommit(commit))) {
            return markRepeats(steps, outcomes, earlier);
          }
        }
        known = await this.refresh(aggregate, stream, known);
        isCurrent = true;
      }
      throw createTooManyWritersError();
    });
  }

  /** Loads the current state from the log. */
  async load<State, F extends Fact>(
    aggregate: Aggregate<State, F>,
    stream: Stream,
  ): Promise<Loaded<State>> {
    return this.refresh(aggregate, stream, this.getCached<State>(stream));
  }

  /**
   * The state as it was at an instant: after the last fact that happened by then. Null before the
   * first one. It is read from the log each time.
   */
  async loadAt<State, F extends Fact>(
    aggregate: Aggregate<State, F>,
    stream: Stream,
    at: Instant,
  ): Promise<State | null> {
    let state = aggregate.initialState();
    let asOf: State | null = null;
    for await (const page of readPages(this.connection.client, stream.name, 0)) {
      for (const event of page) {
        state = aggregate.evolve(state, (await this.codec.decode(stream, event)) as Dated<F>);
        if (event.metadata.at <= at) asOf = state;
      }
    }
    return asOf;
  }

  private async decideUntilAppended<State, F extends Fact>(
    run: CommandRun<State, F>,
  ): Promise<Committed<State, F>> {
    const { aggregate, stream } = run;
    let known = this.getCached<State>(stream) ?? (await this.loadFirst(run));
    for (let conflicts = 0; conflicts < CONFLICTS_MAX; conflicts += 1) {
      const attempt = await this.tryOnce(run, known);
      if (attempt.done !== undefined) return attempt.done;
      // Another command was stored first, or a refusal may be based on a state that is no longer
      // current.
      const fresh = await this.refresh(aggregate, stream, known);
      // The other command may be this same command, if it was run twice at the same time.
      if (fresh.commands.has(run.context.commandId)) {
        const repeated = await this.findRepeated(aggregate, stream, run.context);
        if (repeated !== null) return repeated;
      }
      if (attempt.refusal !== undefined && fresh.revision === known.revision) throw attempt.refusal;
      if (attempt.nothing === true && fresh.revision === known.revision) {
        return { state: fresh.state, facts: [], revision: fresh.revision };
      }
      known = fresh;
      if (conflicts > FREE_CONFLICTS)
        await delay(Math.random() * CONFLICT_RETRY.pauseMs * conflicts);
    }
    throw createTooManyWritersError();
  }

  private async readCommandIds(stream: Stream): Promise<Set<string>> {
    const found = new Set<string>();
    for await (const { metadata } of readStream(this.connection.client, stream.name)) {
      found.add(metadata.command);
    }
    return found;
  }

  /**
   * Loads the state for the first decision. A stream that is assumed to be new is read only if that
   * turns out to be wrong.
   */
  private loadFirst<State, F extends Fact>({
    aggregate,
    stream,
    context,
  }: CommandRun<State, F>): Loaded<State> | Promise<Loaded<State>> {
    return context.assumesNew === true
      ? { state: aggregate.initialState(), revision: -1 }
      : this.refresh(aggregate, stream, null);
  }

  /** The time of the aggregate's test clock; null where real time counts. */
  private async testClockTime<State, F extends Fact>(
    aggregate: Aggregate<State, F>,
    state: State,
  ): Promise<Instant | null> {
    const id = aggregate.testClock?.(state) ?? null;
    if (id === null) return null;
    const clock = await this.load(clockAggregate, streams.clock(id));
    return clock.state.status === 'absent' ? null : getTime(clock.state);
  }

  private async tryOnce<State, F extends Fact>(
    { aggregate, stream, context, decide }: CommandRun<State, F>,
    known: Loaded<State>,
  ): Promise<{ done?: Committed<State, F>; refusal?: DomainError; nothing?: true }> {
    try {
      checkExpectedSequence(context, known.revision);
      const now = (await this.testClockTime(aggregate, known.state)) ?? context.now;
      const facts = await decide({ state: known.state, now, entropy: context.entropy });
      if (facts.length === 0) return { nothing: true };
      const stated = addDates(context.commandId, facts, now);
      return { done: await this.commit({ aggregate, stream, context, stated, known }) };
    } catch (error) {
      if (error instanceof RevisionConflict) return {};
      if (error instanceof DomainError && error.code !== 'service_unavailable')
        return { refusal: error };
      throw error;
    }
  }

  private async commit<State, F extends Fact>({
    aggregate,
    stream,
    context,
    stated,
    known,
  }: PendingCommit<State, F>): Promise<Committed<State, F>> {
    let state = known.state;
    const events: NewEvent[] = [];
    for (const each of stated) {
      state = aggregate.evolve(state, each.fact);
      const sequence = known.revision + 2 + events.length;
      events.push(
        await this.codec.encode(
          { stream, context, sequence, ...each },
          aggregate.envelope?.(state, each.fact) ?? null,
        ),
      );
    }
    const { revision, position } = await append(this.connection, {
      stream: stream.name,
      expected: known.revision,
      events,
    });
    this.cache.set(stream.name, { state, revision });
    context.wrote(position);
    return { state, facts: stated.map(({ fact }) => fact), revision };
  }

  /** Returns false if another command was stored first. */
  private async tryCommit<State, F extends Fact>(
    commit: PendingCommit<State, F>,
  ): Promise<boolean> {
    try {
      await this.commit(commit);
      return true;
    } catch (error) {
      if (error instanceof RevisionConflict) return false;
      throw error;
    }
  }

  private async refresh<State, F extends Fact>(
    aggregate: Aggregate<State, F>,
    stream: Stream,
    known: Loaded<State> | null,
  ): Promise<Refreshed<State>> {
    let { state, revision } = known ?? { state: aggregate.initialState(), revision: -1 };
    const commands = new Set<string>();
    for await (const page of readPages(this.connection.client, stream.name, revision + 1)) {
      for (const event of page) {
        state = aggregate.evolve(state, (await this.codec.decode(stream, event)) as Dated<F>);
        revision = event.revision;
        commands.add(event.metadata.command);
      }
    }
    if (revision >= 0) this.cache.set(stream.name, { state, revision });
    return { state, revision, commands };
  }

  /**
   * Finds the facts that an interrupted command has already stored, so that its repetition returns
   * them.
   */
  private async findRepeated<State, F extends Fact>(
    aggregate: Aggregate<State, F>,
    stream: Stream,
    { commandId }: CommandContext,
  ): Promise<Committed<State, F> | null> {
    let state = aggregate.initialState();
    let revision = -1;
    const facts: Dated<F>[] = [];
    for await (const event of readStream(this.connection.client, stream.name)) {
      const isOwn = event.metadata.command === commandId;
      if (!isOwn && facts.length > 0) break;
      const fact = (await this.codec.decode(stream, event)) as Dated<F>;
      state = aggregate.evolve(state, fact);
      revision = event.revision;
      if (isOwn) facts.push(fact);
    }
    return facts.length > 0 ? { state, facts, revision } : null;
  }

  /**
   * Stops caching the state of an erased subscriber, which may hold personal values. From now on it
   * is read from the log each time, and these values can no longer be decrypted.
   */
  stopCaching({ name }: Stream): void {
    this.cache.exclude(name);
  }

  /** Deletes all cached states. They are read from the log again when they are needed. */
  dropStates(): void {
    this.cache.clear();
  }

  /** True if this process keeps the state of a stream in memory. */
  hasCached({ name }: Stream): boolean {
    return this.cache.has(name);
  }

  private getCached<State>(stream: Stream): Loaded<State> | null {
    return (this.cache.get(stream.name) as Loaded<State> | undefined) ?? null;
  }
}

interface CommandRun<State, F extends Fact> {
  readonly aggregate: Aggregate<State, F>;
  readonly stream: Stream;
  readonly context: CommandContext | TenantContext;
  readonly decide: Decide<State, F>;
}

interface PendingCommit<State, F extends Fact> extends Omit<CommandRun<State, F>, 'decide'> {
  readonly stated: readonly DatedFact<F>[];
  readonly known: Loaded<State>;
}

const createTooManyWritersError = (): DomainError =>
  new DomainError(
    'service_unavailable',
    'Too many commands changed this object at the same time. Repeat the request.',
  );

const checkExpectedSequence = ({ expectedSequence }: CommandContext, revision: number): void => {
  if (expectedSequence === undefined || expectedSequence === revision + 1) return;
  throw new DomainError('version_conflict', 'The resource has changed since you read it.', {
    param: 'If-Match',
    details: { expected_sequence: expectedSequence, current_sequence: revision + 1 },
  });
};
