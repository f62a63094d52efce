import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Service, ServiceOptions } from './service';

/**
 * The delay of the event loop of a service under test, in steps of 10 ms: finer than the metrics of
 * the service, which measure an idle loop ten times a second.
 */
export class LoopDelay {
  private readonly dir = mkdtempSync(join(tmpdir(), 'loop-delay-'));
  private readonly file = join(this.dir, 'max-ms');

  /** The options with which the service must be started. */
  get options(): Required<Pick<ServiceOptions, 'env' | 'nodeFlags'>> {
    return {
      env: { LOOP_DELAY_FILE: this.file },
      nodeFlags: ['--require', join(__dirname, 'measure-loop-delay.cjs')],
    };
  }

  /** The longest delay since the previous call, in milliseconds. */
  async readMaxMs(service: Service): Promise<number> {
    rmSync(this.file, { force: true });
    process.kill(service.pid, 'SIGUSR2');
    while (!existsSync(this.file)) await delay(5);
    return Number(readFileSync(this.file, 'utf8'));
  }

  dispose(): void {
    rmSync(this.dir, { recursive: true, force: true });
  }
}
