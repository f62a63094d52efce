import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/**
 * The arrivals at a receiver: for each event its first arrival (Unix ms) and the number of
 * arrivals.
 */
export interface Arrivals {
  readonly firstMs: Readonly<Record<string, number>>;
  readonly total: number;
}

/** A receiver in its own process, so that its work is not measured as the service's. */
export class BenchReceiver {
  private constructor(
    private readonly child: ChildProcess,
    readonly url: string,
  ) {}

  static async start(delayMs = 0): Promise<BenchReceiver> {
    const child = fork(join(__dirname, 'receiver-process.ts'), [String(delayMs)], {
      execArgv: ['-r', '@swc-node/register'],
    });
    const [message] = (await once(child, 'message')) as [{ port: number }];
    return new BenchReceiver(child, `http://127.0.0.1:${message.port}/hook`);
  }

  async report(): Promise<Arrivals> {
    this.child.send('report');
    const [arrivals] = (await once(this.child, 'message')) as [Arrivals];
    return arrivals;
  }

  async count(): Promise<number> {
    this.child.send('count');
    const [count] = (await once(this.child, 'message')) as [number];
    return count;
  }

  /** Returns the number of requests so far, including repeated events. */
  async readTotal(): Promise<number> {
    this.child.send('total');
    const [total] = (await once(this.child, 'message')) as [number];
    return total;
  }

  /** Forgets all arrivals so far. */
  reset(): void {
    this.child.send('reset');
  }

  close(): void {
    this.child.kill('SIGKILL');
  }
}
