import { isAnswering } from '../../event-store/availability';
import type { EventStoreConnection } from '../../event-store/connection';
import type { ReadYourWrites } from '../../projections/read-your-writes';
import { log } from '../../ops/log';
import { waitWithTimeLimit } from '../../ops/within';
import type { Database } from '../../read-models/database';

/** Limit of both questions to the database. Readiness has to be known although the database hangs. */
const SQL_TIMEOUT_MS = 6_000;

/** The readiness of this process: the conditions under which it should receive requests. */
export class Readiness {
  private readonly conditions = new Map<string, () => boolean>();
  private readonly observed = new Map<string, () => string>();
  private started = false;
  /** What failed at the latest check, as text; null if changes are not logged. */
  private logged: string | null = null;

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

  /** From now on, logs each change. A start reports by itself what it waits for. */
  logChanges(): void {
    this.logged = JSON.stringify({});
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
    const checks = {
      ...Object.fromEntries([...conditions, ...observed]),
      ...eventStore,
      ...readModels,
    };
    this.logChange(checks);
    return checks;
  }

  /** Logs the canonical line of a change. Probes and metrics ask far more often. */
  private logChange(checks: Readonly<Record<string, string>>): void {
    const failing = Object.fromEntries(
      Object.entries(checks).filter(([, state]) => state !== 'ok'),
    );
    const text = JSON.stringify(failing);
    if (this.logged === null || this.logged === text) return;
    this.logged = text;
    const ready = Object.keys(failing).length === 0;
    log[ready ? 'info' : 'warn']({ ready, failing }, 'readiness.changed');
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
