import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Service, ServiceOptions } from './service';
import { until } from './until';

/**
 * The number of threads of a service with embedded stores: its own, the event store's and the SQL
 * database's.
 */
export const THREADS_OF_A_SERVICE = 3;

/** Takes snapshots of the live objects in the heaps of a service, to search its memory. */
export class HeapSnapshots {
  private readonly dir = mkdtempSync(join(tmpdir(), 'heap-'));
  private rounds = 0;

  /** The options with which the service must be started. */
  get options(): Pick<ServiceOptions, 'env' | 'nodeFlags'> {
    return {
      env: { HEAP_SNAPSHOT_DIR: this.dir },
      nodeFlags: ['-r', join(__dirname, 'heap-snapshots.cjs')],
    };
  }

  /** Returns the snapshots of all threads. Each is a text with every live string. */
  async take(service: Service, threads: number): Promise<Buffer[]> {
    this.rounds += 1;
    const prefix = `${this.rounds}-thread-`;
    process.kill(service.pid, 'SIGUSR2');
    const names = await until(
      'the snapshots of all threads',
      () => {
        const found = readdirSync(this.dir).filter(
          (name) => name.startsWith(prefix) && name.endsWith('.heapsnapshot'),
        );
        return found.length >= threads ? found : undefined;
      },
      120_000,
    );
    const snapshots = names.map((name) => readFileSync(join(this.dir, name)));
    for (const name of names) rmSync(join(this.dir, name));
    return snapshots;
  }

  dispose(): void {
    rmSync(this.dir, { recursive: true, force: true });
  }
}

/** Returns the texts that occur in one of the snapshots. */
export const findTexts = (snapshots: readonly Buffer[], texts: readonly string[]): string[] =>
  texts.filter((text) => snapshots.some((snapshot) => snapshot.includes(text)));
