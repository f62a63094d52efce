import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type EmbeddedEventStore, startEmbeddedEventStore } from '../../src/start';

/** The event store in a thread of this process, as the service runs it. */
export class ThreadStore {
  private constructor(
    private readonly dir: string,
    private readonly projections: boolean,
    private running: EmbeddedEventStore,
  ) {}

  static async start({ projections = true } = {}): Promise<ThreadStore> {
    const dir = mkdtempSync(join(tmpdir(), 'store-'));
    return new ThreadStore(dir, projections, await run(dir, projections));
  }

  get store(): EmbeddedEventStore {
    return this.running;
  }

  get connectionString(): string {
    return this.running.connectionString;
  }

  async restart(): Promise<void> {
    await this.running.close();
    this.running = await run(this.dir, this.projections);
  }

  async dispose(): Promise<void> {
    await this.running.close();
    rmSync(this.dir, { recursive: true, force: true });
  }
}

const run = (dir: string, projections: boolean): Promise<EmbeddedEventStore> =>
  startEmbeddedEventStore({ dir, projections, socketPath: join(dir, 'store.sock') });
