import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Service, ServiceOptions } from './service';

/** The clock of a service under test, which is ahead of the real one, or behind it. */
export class ShiftedClock {
  private readonly dir = mkdtempSync(join(tmpdir(), 'clock-'));
  private readonly file = join(this.dir, 'shift-ms');
  private shiftMs = 0;

  constructor() {
    this.write();
  }

  /** The options with which the service must be started. */
  get options(): Required<Pick<ServiceOptions, 'env' | 'nodeFlags'>> {
    return {
      env: { CLOCK_SHIFT_FILE: this.file },
      nodeFlags: ['--require', join(__dirname, 'clock-shift.cjs')],
    };
  }

  /** Sets how far the clock is ahead of the real one, in ms, also while the service runs. */
  set(shiftMs: number, service?: Service): void {
    this.shiftMs = shiftMs;
    this.write();
    if (service?.running === true) process.kill(service.pid, 'SIGUSR2');
  }

  /** Moves the clock of a running service forward. */
  advance(ms: number, service: Service): void {
    this.set(this.shiftMs + ms, service);
  }

  get nowMs(): number {
    return Date.now() + this.shiftMs;
  }

  dispose(): void {
    rmSync(this.dir, { recursive: true, force: true });
  }

  private write(): void {
    writeFileSync(this.file, String(this.shiftMs));
  }
}
