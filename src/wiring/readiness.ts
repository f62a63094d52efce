import { isAnswering } from '../event-store/availability';
import type { EventStoreConnection } from '../event-store/connection';
import type { ReadYourWrites } from '../projections/read-your-writes';
import type { Database } from '../read-models/database';

/** What must work before a request should be sent here. */
export class Readiness {
  private readonly conditions = new Map<string, () => boolean>();
  private readonly observed = new Map<string, () => string>();
  private started = false;

  constructor(
    private readonly connection: EventStoreConnection,
    private readonly database: Database,
    private readonly freshness: ReadYourWrites,
  ) {}

  /** Another condition of the start, such as a directory that has been read; it holds from then on. */
  require(name: string, holds: () => boolean): void {
    this.conditions.set(name, holds);
  }

  /** Something that may go wrong at any time: `ok`, or a word that says what is wrong. */
  observe(name: string, state: () => string): void {
    this.observed.set(name, state);
  }

  /** What requests rest on has not been read yet: what is not known may well exist. */
  isStarting(): boolean {
    this.started ||= [...this.conditions.values()].every((holds) => holds());
    return !this.started;
  }

  async check(): Promise<Record<string, string>> {
    const conditions = [...this.conditions].map(
      ([name, holds]) => [name, holds() ? 'ok' : 'starting'] as const,
    );
    const observed = [...this.observed].map(([name, state]) => [name, state()] as const);
    const [eventStore, readModels] = await Promise.all([this.eventStore(), this.readModels()]);
    return {
      ...Object.fromEntries([...conditions, ...observed]),
      ...eventStore,
      ...readModels,
    };
  }

  private async eventStore(): Promise<Record<string, string>> {
    return { event_store: (await isAnswering(this.connection)) ? 'ok' : 'unavailable' };
  }

  private async readModels(): Promise<Record<string, string>> {
    try {
      const writable = await this.database.acceptsWrites();
      const complete = await this.freshness.isComplete();
      return {
        database: writable ? 'ok' : 'read_only',
        read_models: complete ? 'ok' : 'rebuilding',
      };
    } catch {
      return { database: 'unavailable', read_models: 'unavailable' };
    }
  }
}
