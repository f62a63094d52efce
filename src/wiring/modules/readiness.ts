import { isAnswering } from '../../event-store/availability';
import type { EventStoreConnection } from '../../event-store/connection';
import type { ReadYourWrites } from '../../projections/read-your-writes';
import { waitWithTimeLimit } from '../../ops/within';
import type { Database } from '../../read-models/database';

/** Limit of both questions to the database. Readiness has to be known although the database hangs. */
const SQL_TIMEOUT_MS = 6_000;

/** The readiness of this process: the conditions under which it should receive requests. */
export class Readiness {
  private readonly conditions = new Map<string, () => boolean>();
  private readonly observed = new Map<string, () => string>();
  private started = false;

  constructor(
    private readonly connection: EventStoreConnection,
    private readonly database: Database,
    private readonly freshness: ReadYourWrites,
  ) {}

  /**
   * Adds a condition of the start, such as a directory that has been read. It holds for ever once
   * it is true.
   */
  require(name: string, holds: () => boolean): void {
    this.conditions.set(name, holds);
  }

  /** Adds a state that may change at any time: `ok`, or a word for the problem. */
  observe(name: string, state: () => string): void {
    this.observed.set(name, state);
  }

  /**
   * Returns true until all conditions of the start hold. Before that, an unknown object may exist.
   */
  isStarting(): boolean {
    this.started ||= [...this.conditions.values()].every((holds) => holds());
    return !this.started;
  }

  async check(): Promise<Record<string, string>> {
    const conditions = [...this.conditions].map(
      ([name, holds]) => [name, holds() ? 'ok' : 'starting'] as const,
    );
    const observed = [...this.observed].map(([name, state]) => [name, state()] as const);
    const [eventStore, readModels] = await Promise.all([
      this.checkEventStore(),
      this.checkReadModels(),
    ]);
    return {
      ...Object.fromEntries([...conditions, ...observed]),
      ...eventStore,
      ...readModels,
    };
  }

  private async checkEventStore(): Promise<Record<string, string>> {
    return { event_store: (await isAnswering(this.connection)) ? 'ok' : 'unavailable' };
  }

  private async checkReadModels(): Promise<Record<string, string>> {
    try {
      const [writable, complete] = await waitWithTimeLimit(
        SQL_TIMEOUT_MS,
        Promise.all([this.database.acceptsWrites(), this.freshness.isComplete()]),
      );
      return {
        database: writable ? 'ok' : 'read_only',
        read_models: complete ? 'ok' : 'rebuilding',
      };
    } catch {
      return { database: 'unavailable', read_models: 'unavailable' };
    }
  }
}
