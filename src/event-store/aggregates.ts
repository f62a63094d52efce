import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { setTimeout as delay } from 'node:timers/promises';
import { clockAggregate, timeOf } from '../domain/clocks/clock.decider';
import type { Dated, Fact } from '../kernel/decider';
import { DomainError } from '../kernel/errors';
import { type Entropy, eventUuid } from '../kernel/ids';
import type { CommandContext, TenantContext } from '../kernel/scope';
import { type Instant, toMillis } from '../kernel/time';
import { append, type NewEvent, RevisionConflict } from './append';
import { type EventCatalogue, join } from './catalogue';
import type { EventStoreConnection } from './connection';
import { KeyedQueue } from './keyed-queue';
import { readPages, readStream } from './read';
import {
  isCertain,
  planSteps,
  type Stated,
  statedBy,
  type Step,
  type StepOutcome,
  tellRepeats,
} from './steps';
import type { StoredEvent } from './stored-event';
import type { JsonObject } from '../kernel/json';
import type { Aggregate, EnvelopeState, SubscriberState } from '../kernel/aggregate';
import { StateCache } from './state-cache';
import { type Stream, streams } from './streams';
import type { Vault } from './vault';

/** Streams of erased subscribers whose state is never kept in memory; the oldest are dropped. */
const FORGOTTEN_STREAMS_MAX = 100_000;
const CONFLICTS_MAX = 100;
const CONFLICT_PAUSE_MS = 5;
const NONE: ReadonlySet<string> = new Set();
/** The schema version of everything stored today (D-65: one version for the whole catalogue). */
export const SCHEMA_VERSION = 'v1';

/** What a decision is made on. */
export interface Moment<State> {
  readonly state: State;
  readonly now: Instant;
  readonly entropy: Entropy;
}

export type Decide<State, F extends Fact> = (
  moment: Moment<State>,
) => readonly F[] | Promise<readonly F[]>;

/** What a command led to. */
export interface Committed<State, F extends Fact> {
  readonly state: State;
  /** The facts of this command, empty when there was nothing to do. */
  readonly facts: readonly Dated<F>[];
  /** The stream's last revision, -1 when it does not exist. */
  readonly revision: number;
}

interface Loaded<State> {
  readonly state: State;
  readonly revision: number;
}

interface Refreshed<State> extends Loaded<State> {
  /** Whose facts were read. */
  readonly commands: ReadonlySet<string>;
}

/** Load, decide, append at the revision that was read; on a conflict load and decide again. */
export class Aggregates {
  private readonly cache = new StateCache();
  /** A command that began before an erasure must not bring back what it had read. */
  private readonly forgotten = new LRUCache<string, true>({ max: FORGOTTEN_STREAMS_MAX });
  private readonly turns = new KeyedQueue();

  constructor(
    private readonly connection: EventStoreConnection,
    private readonly vault: Vault,
    private readonly catalogue: EventCatalogue,
  ) {}

  /** Commands on one stream take turns in this process; other processes are met as conflicts. */
  run<State, F extends Fact>(
    aggregate: Aggregate<State, F>,
    stream: Stream,
    context: CommandContext | TenantContext,
    decide: Decide<State, F>,
  ): Promise<Committed<State, F>> {
    return this.turns.run(stream.name, async () => {
      const repeated = context.resumed ? await this.findRepeated(aggregate, stream, context) : null;
      return repeated ?? this.decideUntilAppended({ aggregate, stream, context, decide });
    });
  }

  /** Several commands on one stream in one append; answers what became of each. */
  runAll<State, F extends Fact>(
    aggregate: Aggregate<State, F>,
    stream: Stream,
    context: CommandContext | TenantContext,
    steps: readonly Step<State, F>[],
  ): Promise<StepOutcome[]> {
    return this.turns.run(stream.name, async () => {
      const begin = { aggregate, stream, context, decide: () => [] };
      let known = this.cached<State>(stream) ?? (await this.begin(begin));
      let current = false;
      for (let conflicts = 0; conflicts < CONFLICTS_MAX; conflicts += 1) {
        const { state } = known;
        const now = (await this.testClockTime(aggregate, state)) ?? context.now;
        const plan = planSteps({ decider: aggregate, state, now }, steps);
        const { stated, outcomes } = plan;
        // A refusal, or nothing to do, may rest on a state that is no longer current.
        if (current || isCertain(plan)) {
          const earlier = outcomes.includes('nothing') ? await this.commandsIn(stream) : NONE;
          const commit = { aggregate, stream, context, stated, known };
          if (stated.length === 0 || (await this.tryCommit(commit))) {
            return tellRepeats(steps, outcomes, earlier);
          }
        }
        known = await this.refresh(aggregate, stream, known);
        current = true;
      }
      throw tooManyWriters();
    });
  }

  /** The state as it is now, read from the log. */
  async load<State, F extends Fact>(
    aggregate: Aggregate<State, F>,
    stream: Stream,
  ): Promise<Loaded<State>> {
    return this.refresh(aggregate, stream, this.cached<State>(stream));
  }

  private async decideUntilAppended<State, F extends Fact>(
    run: Run<State, F>,
  ): Promise<Committed<State, F>> {
    const { aggregate, stream } = run;
    let known = this.cached<State>(stream) ?? (await this.begin(run));
    for (let conflicts = 0; conflicts < CONFLICTS_MAX; conflicts += 1) {
      const attempt = await this.tryOnce(run, known);
      if (attempt.done !== undefined) return attempt.done;
      // Another command came first, or a refusal may rest on a state that is no longer current.
      const fresh = await this.refresh(aggregate, stream, known);
      // Or it was this very command, run twice at once: the other run is not known to have ended.
      if (fresh.commands.has(run.context.commandId)) {
        const repeated = await this.findRepeated(aggregate, stream, run.context);
        if (repeated !== null) return repeated;
      }
      if (attempt.refusal !== undefined && fresh.revision === known.revision) throw attempt.refusal;
      if (attempt.nothing === true && fresh.revision === known.revision) {
        return { state: fresh.state, facts: [], revision: fresh.revision };
      }
      known = fresh;
      if (conflicts > 2) await delay(Math.random() * CONFLICT_PAUSE_MS * conflicts);
    }
    throw tooManyWriters();
  }

  private async commandsIn(stream: Stream): Promise<Set<string>> {
    const found = new Set<string>();
    for await (const { metadata } of readStream(this.connection.client, stream.name)) {
      found.add(metadata.command);
    }
    return found;
  }

  /** What a first decision is made on; a stream thought to be new is read when it turns out not to be. */
  private begin<State, F extends Fact>({
    aggregate,
    stream,
    context,
  }: Run<State, F>): Loaded<State> | Promise<Loaded<State>> {
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
    return clock.state.status === 'absent' ? null : timeOf(clock.state);
  }

  private async tryOnce<State, F extends Fact>(
    { aggregate, stream, context, decide }: Run<State, F>,
    known: Loaded<State>,
  ): Promise<{ done?: Committed<State, F>; refusal?: DomainError; nothing?: true }> {
    try {
      checkSequence(context, known.revision);
      const now = (await this.testClockTime(aggregate, known.state)) ?? context.now;
      const facts = await decide({ state: known.state, now, entropy: context.entropy });
      if (facts.length === 0) return { nothing: true };
      const stated = statedBy(context.commandId, facts, now);
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
  }: Commit<State, F>): Promise<Committed<State, F>> {
    let state = known.state;
    const events: NewEvent[] = [];
    for (const each of stated) {
      state = aggregate.evolve(state, each.fact);
      const sequence = known.revision + 2 + events.length;
      events.push(
        await this.encode(
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
    this.keep(stream, { state, revision });
    context.wrote(position);
    return { state, facts: stated.map(({ fact }) => fact), revision };
  }

  /** False where another command came first. */
  private async tryCommit<State, F extends Fact>(commit: Commit<State, F>): Promise<boolean> {
    try {
      await this.commit(commit);
      return true;
    } catch (error) {
      if (error instanceof RevisionConflict) return false;
      throw error;
    }
  }

  private async encode(
    { stream, context, commandId, fact, sequence, index }: ToEncode,
    envelope: EnvelopeState | null,
  ): Promise<NewEvent> {
    const { data, personal } = this.catalogue.split(fact.type, fact.data as JsonObject);
    const sealed =
      stream.subscriberId === undefined
        ? null
        : await this.vault.seal(stream.subscriberId, {
            email: envelope?.email ?? null,
            fields: personal,
          });
    return {
      uuid: eventUuid({
        atMs: toMillis(fact.at),
        sequence,
        tail: tailOf(commandId, index),
      }),
      type: fact.type,
      data,
      metadata: {
        schema: SCHEMA_VERSION,
        at: fact.at,
        command: commandId,
        actor: context.actor,
        ...(context.origin === undefined ? {} : { origin: context.origin }),
        ...(fact.subscriptionId === undefined ? {} : { subscription_id: fact.subscriptionId }),
        ...('tenant' in context && envelope !== null ? { tenant: context.tenant } : {}),
        ...(envelope === null || stream.subscriberId === undefined
          ? {}
          : { subscriber: { ...envelope.subscriber, id: stream.subscriberId } as SubscriberState }),
        ...(envelope?.subscription == null ? {} : { subscription: envelope.subscription }),
        ...(sealed === null ? {} : { sealed }),
        ...(context.imported === undefined ? {} : { import: context.imported }),
      },
    };
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
        state = aggregate.evolve(state, (await this.decode(stream, event)) as Dated<F>);
        revision = event.revision;
        commands.add(event.metadata.command);
      }
    }
    if (revision >= 0) this.keep(stream, { state, revision });
    return { state, revision, commands };
  }

  /** A command that was cut off after its append is answered from what it appended then. */
  private async findRepeated<State, F extends Fact>(
    aggregate: Aggregate<State, F>,
    stream: Stream,
    { commandId }: CommandContext,
  ): Promise<Committed<State, F> | null> {
    let state = aggregate.initialState();
    let revision = -1;
    const facts: Dated<F>[] = [];
    for await (const event of readStream(this.connection.client, stream.name)) {
      const mine = event.metadata.command === commandId;
      if (!mine && facts.length > 0) break;
      const fact = (await this.decode(stream, event)) as Dated<F>;
      state = aggregate.evolve(state, fact);
      revision = event.revision;
      if (mine) facts.push(fact);
    }
    return facts.length > 0 ? { state, facts, revision } : null;
  }

  private async decode(stream: Stream, event: StoredEvent): Promise<Dated<Fact>> {
    const personal =
      stream.subscriberId === undefined
        ? null
        : await this.vault.open(stream.subscriberId, event.metadata.sealed);
    return {
      type: event.type,
      data:
        personal === null
          ? this.catalogue.split(event.type, event.data).data
          : join(event.data, personal.fields),
      at: event.metadata.at,
      ...(event.metadata.subscription_id === undefined
        ? {}
        : { subscriptionId: event.metadata.subscription_id }),
    };
  }

  /**
   * Forgets the state of an erased subscriber, which may hold personal values. From now on it is read
   * from the log each time, where these values cannot be opened any more.
   */
  forget({ name }: Stream): void {
    this.forgotten.set(name, true);
    this.cache.delete(name);
  }

  /** True if this process keeps the state of a stream in memory. */
  remembers({ name }: Stream): boolean {
    return this.cache.has(name);
  }

  private keep({ name }: Stream, loaded: Loaded<unknown>): void {
    if (!this.forgotten.has(name)) this.cache.set(name, loaded);
  }

  private cached<State>(stream: Stream): Loaded<State> | null {
    return (this.cache.get(stream.name) as Loaded<State> | undefined) ?? null;
  }
}

interface Run<State, F extends Fact> {
  readonly aggregate: Aggregate<State, F>;
  readonly stream: Stream;
  readonly context: CommandContext | TenantContext;
  readonly decide: Decide<State, F>;
}

interface Commit<State, F extends Fact> extends Omit<Run<State, F>, 'decide'> {
  readonly stated: readonly Stated<F>[];
  readonly known: Loaded<State>;
}

interface ToEncode extends Stated<Fact> {
  readonly stream: Stream;
  readonly context: CommandContext | TenantContext;
  readonly sequence: number;
}

const tooManyWriters = (): DomainError =>
  new DomainError('service_unavailable', 'Too many writers at once. Repeat the request.');

const checkSequence = ({ expectedSequence }: CommandContext, revision: number): void => {
  if (expectedSequence === undefined || expectedSequence === revision + 1) return;
  throw new DomainError('version_conflict', 'The resource has changed since you read it.', {
    details: { expected_sequence: expectedSequence, current_sequence: revision + 1 },
  });
};

const tailOf = (commandId: string, index: number): string =>
  hash('sha256', `${commandId}:${index}`);
