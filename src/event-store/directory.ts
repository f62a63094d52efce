import { EventEmitter, once } from 'node:events';
import type { Dated, Decider, Fact } from '../kernel/decider';
import { type Scope, scopeName } from '../kernel/scope';
import { followCategory } from './catch-up';
import type { EventStoreConnection } from './connection';
import { keepSubscribed } from './keep-subscribed';
import type { StoredEvent } from './stored-event';
import { categoryStream } from './streams';

interface Entry<State> {
  readonly state: State;
  readonly revision: number;
  /**
   * Commit position of the first event of the stream. Earlier events are older than the aggregate.
   */
  readonly createdAtPosition: bigint;
}

interface DirectoryOptions<State, F extends Fact> {
  readonly connection: EventStoreConnection;
  readonly category: string;
  readonly decider: Decider<State, F>;
  /**
   * The types of its facts. A type that is missing here comes from a later version and is ignored.
   */
  readonly events: Readonly<Record<F['type'], unknown>>;
  /** Returns the environment of an aggregate; undefined if aggregates are not searched by it. */
  readonly readScope?: (state: State) => Scope | null;
}

/**
 * All aggregates of one small category (tenants, API keys, destinations), folded in memory and
 * updated from the log. Every process knows a change within milliseconds and needs no SQL for it.
 */
export class Directory<State, F extends Fact> {
  private readonly entries = new Map<string, Entry<State>>();
  /** Names of the streams by environment. */
  private readonly scopes = new Map<string, Set<string>>();
  private readonly changes = new EventEmitter();
  private lastRevision = -1;
  private appliedEvents = 0;
  private ready = false;

  constructor(private readonly options: DirectoryOptions<State, F>) {
    this.changes.setMaxListeners(0);
  }

  /** Follows the category until the signal aborts. */
  follow(signal: AbortSignal): Promise<void> {
    const { connection, category } = this.options;
    const name = `directory of ${category}`;
    return keepSubscribed({ connection, name, signal }, async ({ markHealthy, watched }) => {
      const stream = categoryStream(category);
      const from = { stream, after: this.lastRevision, signal, watched };
      for await (const batch of followCategory(connection, from)) {
        markHealthy();
        const changed = new Set<string>();
        for (const { revision, event } of batch.events) {
          if (event !== null) this.apply(event);
          if (event !== null) changed.add(event.stream);
          this.lastRevision = revision;
        }
        if (batch.caughtUp) this.ready = true;
        this.changes.emit('change', [...changed]);
      }
    });
  }

  get(stream: string): State | undefined {
    return this.entries.get(stream)?.state;
  }

  getEntry(stream: string): Entry<State> | undefined {
    return this.entries.get(stream);
  }

  listStates(): State[] {
    return [...this.entries.values()].map((entry) => entry.state);
  }

  /** Returns all aggregates of an environment, including deleted ones. */
  protected findInScope(scope: Scope): State[] {
    const found = [...(this.scopes.get(scopeName(scope)) ?? [])];
    return found.flatMap((stream) => this.get(stream) ?? []);
  }

  /**
   * A number that differs after every change. A value computed from the entries is valid while it
   * stays the same.
   */
  get version(): number {
    return this.appliedEvents;
  }

  listStreams(): string[] {
    return [...this.entries.keys()];
  }

  isReady(): boolean {
    return this.ready;
  }

  /**
   * Resolves when all events stored before the start are applied. Rejects only if the signal aborts
   * first: a loop may ignore that, because it looks at the signal itself.
   */
  async waitUntilReady(signal: AbortSignal): Promise<void> {
    while (!this.ready) await once(this.changes, 'change', { signal });
  }

  /** Resolves when a stream is applied up to a revision, or after `timeoutMs`. */
  async waitForRevision(stream: string, revision: number, timeoutMs: number): Promise<void> {
    await this.waitUntilKnown(stream, revision, AbortSignal.timeout(timeoutMs));
  }

  /**
   * Waits until a stream is applied up to a revision or the signal aborts. Returns true if it is
   * applied.
   */
  async waitUntilKnown(stream: string, revision: number, signal: AbortSignal): Promise<boolean> {
    const isKnown = (): boolean => (this.entries.get(stream)?.revision ?? -1) >= revision;
    while (!isKnown() && !signal.aborted) {
      await once(this.changes, 'change', { signal }).catch(() => undefined);
    }
    return isKnown();
  }

  /** Resolves when any aggregate has changed since a version. Rejects when the signal aborts. */
  async waitUntilChanged(since: number, signal: AbortSignal): Promise<void> {
    while (this.version === since) await once(this.changes, 'change', { signal });
  }

  private apply(event: StoredEvent): void {
    const { decider, events } = this.options;
    const known = this.entries.get(event.stream);
    if (known !== undefined && event.revision <= known.revision) return;
    const before = known?.state ?? decider.initialState();
    const fact = {
      type: event.type,
      data: event.data,
      at: event.metadata.at,
    } as unknown as Dated<F>;
    const state = Object.hasOwn(events, event.type) ? decider.evolve(before, fact) : before;
    this.appliedEvents += 1;
    this.indexByScope(event.stream, state);
    this.entries.set(event.stream, {
      state,
      revision: event.revision,
      createdAtPosition: known?.createdAtPosition ?? event.position,
    });
  }

  /** Adds a stream to the index by environment. An aggregate never changes its environment. */
  private indexByScope(stream: string, state: State): void {
    const scope = this.options.readScope?.(state) ?? null;
    if (scope === null) return;
    const name = scopeName(scope);
    this.scopes.set(name, (this.scopes.get(name) ?? new Set()).add(stream));
  }
}
