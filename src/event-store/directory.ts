import { EventEmitter, once } from 'node:events';
import type { Dated, Decider, Fact } from '../kernel/decider';
import { type Scope, scopeName } from '../kernel/scope';
import { followCategory } from './catch-up';
import type { EventStoreConnection } from './connection';
import { resubscribe } from './resubscribe';
import type { StoredEvent } from './stored-event';
import { categoryStream } from './streams';

interface Entry<State> {
  readonly state: State;
  readonly revision: number;
  /** Commit position of the stream's first event: what came before it, came before the aggregate. */
  readonly createdAtPosition: bigint;
}

interface DirectoryOptions<State, F extends Fact> {
  readonly connection: EventStoreConnection;
  readonly category: string;
  readonly decider: Decider<State, F>;
  /** The catalogue of its facts: a type that is not in it is of a later version, and left out. */
  readonly events: Readonly<Record<F['type'], unknown>>;
  /** The environment of an aggregate; left out where none is looked for by it. */
  readonly scopeOf?: (state: State) => Scope | null;
}

/**
 * All aggregates of one small category (tenants, API keys, destinations), folded in memory and kept
 * live from the log, so that every process knows a change within milliseconds and needs no SQL for it.
 */
export class Directory<State, F extends Fact> {
  private readonly entries = new Map<string, Entry<State>>();
  /** Streams by environment. */
  private readonly scopes = new Map<string, Set<string>>();
  private readonly changes = new EventEmitter();
  private after = -1;
  private applied = 0;
  private ready = false;

  constructor(private readonly options: DirectoryOptions<State, F>) {
    this.changes.setMaxListeners(0);
  }

  /** Follows the category until the signal aborts. */
  follow(signal: AbortSignal): Promise<void> {
    const { connection, category } = this.options;
    const name = `directory of ${category}`;
    return resubscribe({ connection, name, signal }, async ({ healthy, watched }) => {
      const stream = categoryStream(category);
      const from = { stream, after: this.after, signal, watched };
      for await (const batch of followCategory(connection, from)) {
        healthy();
        const changed = new Set<string>();
        for (const { revision, event } of batch.events) {
          if (event !== null) this.apply(event);
          if (event !== null) changed.add(event.stream);
          this.after = revision;
        }
        if (batch.caughtUp) this.ready = true;
        this.changes.emit('change', [...changed]);
      }
    });
  }

  get(stream: string): State | undefined {
    return this.entries.get(stream)?.state;
  }

  entry(stream: string): Entry<State> | undefined {
    return this.entries.get(stream);
  }

  all(): State[] {
    return [...this.entries.values()].map((entry) => entry.state);
  }

  /** All there ever were in an environment. */
  protected inScope(scope: Scope): State[] {
    const found = [...(this.scopes.get(scopeName(scope)) ?? [])];
    return found.flatMap((stream) => this.get(stream) ?? []);
  }

  /** Another number after every change: what was computed from the entries holds until then. */
  get version(): number {
    return this.applied;
  }

  streams(): string[] {
    return [...this.entries.keys()];
  }

  isReady(): boolean {
    return this.ready;
  }

  /** Resolves when everything stored before the start is known. */
  async whenReady(signal: AbortSignal): Promise<void> {
    while (!this.ready) await once(this.changes, 'change', { signal });
  }

  /** Resolves when a stream is known up to a revision, at the latest after `timeoutMs`. */
  async whenKnown(stream: string, revision: number, timeoutMs: number): Promise<void> {
    await this.becomesKnown(stream, revision, AbortSignal.timeout(timeoutMs));
  }

  /** Whether a stream is known up to a revision, now or before the signal aborts. */
  async becomesKnown(stream: string, revision: number, signal: AbortSignal): Promise<boolean> {
    const isKnown = (): boolean => (this.entries.get(stream)?.revision ?? -1) >= revision;
    while (!isKnown() && !signal.aborted) {
      await once(this.changes, 'change', { signal }).catch(() => undefined);
    }
    return isKnown();
  }

  /** Resolves at the next change; the caller looks at what it needs. */
  async nextChange(signal: AbortSignal): Promise<void> {
    await once(this.changes, 'change', { signal });
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
    this.applied += 1;
    this.place(event.stream, state);
    this.entries.set(event.stream, {
      state,
      revision: event.revision,
      createdAtPosition: known?.createdAtPosition ?? event.position,
    });
  }

  /** An aggregate stays in its environment. */
  private place(stream: string, state: State): void {
    const scope = this.options.scopeOf?.(state) ?? null;
    if (scope === null) return;
    const name = scopeName(scope);
    this.scopes.set(name, (this.scopes.get(name) ?? new Set()).add(stream));
  }
}
