import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Pool } from 'undici';
import type { BenchOptions } from './main';
import type { BareTask } from './support/bare-stack-process';
import { runClosedLoop, formatRate } from './support/load';
import { measureRawLoop } from './support/raw-loop';
import { BenchReceiver } from './support/receiver';
import { listNodeFlags } from '../support/service';

const CONCURRENCY = 64;
const WARM_UP = 5_000;
const WAIT_LIMIT_MS = 120_000;
/** A body of the size of an event. */
const BODY = JSON.stringify({ text: 'x'.repeat(700) });

/**
 * Measures the speed of the named packages on this machine without the service: NestJS answers a
 * constant; NestJS appends each request to the embedded store; events of a persistent subscription
 * are sent by the same axios and acked; and all of it in one process. There are no keys,
 * validation, domain, signature, journal or read model. The results are the ceiling of the other
 * benchmarks' ratios.
 */
export const run = async ({ size = 20_000 }: BenchOptions): Promise<void> => {
  const receiver = await BenchReceiver.start();
  const baseline = await measureRawLoop(receiver, size);
  const stack = await BareStack.start(receiver);
  try {
    await stack.measureAnswers('/constant', WARM_UP);
    const constant = await stack.measureAnswers('/constant', size);
    console.log(`NestJS answering a constant: ${formatRate(constant, 1)}`);
    await stack.measureAppends(WARM_UP);
    console.log(
      `the client appending, by itself: ${formatRate(await stack.measureAppends(size), 1)}`,
    );
    await stack.measureAnswers('/events', WARM_UP);
    const appended = await stack.measureAnswers('/events', size);
    report('NestJS and an append', appended, constant, 'of the constant');
    await stack.measureDrain('warm-up', 2 * (WARM_UP + size));
    const drained = await stack.measureDrain('drained', 2 * (WARM_UP + size));
    report('persistent subscription, axios, ack', drained, baseline, 'of the baseline');
    await stack.measureEndToEnd(WARM_UP);
    const whole = await stack.measureEndToEnd(size);
    report('accepted and received', whole, baseline, 'of the baseline');
  } finally {
    stack.close();
    receiver.close();
  }
};

const report = (what: string, rate: number, compared: number, with_: string): void => {
  console.log(`${what}: ${formatRate(rate, 1)}, ${(rate / compared).toFixed(2)} ${with_}`);
};

class BareStack {
  private constructor(
    private readonly child: ChildProcess,
    private readonly receiver: BenchReceiver,
    private readonly pool: Pool,
  ) {}

  static async start(receiver: BenchReceiver): Promise<BareStack> {
    const child = fork(join(__dirname, 'support/bare-stack-process.ts'), [receiver.url], {
      execArgv: ['-r', '@swc-node/register', ...listNodeFlags()],
    });
    const [url] = (await once(child, 'message')) as [string];
    return new BareStack(child, receiver, new Pool(url, { connections: CONCURRENCY }));
  }

  /** Returns the responses per second of `/constant`, or of `/events`, which append one event. */
  async measureAnswers(path: '/constant' | '/events', count: number): Promise<number> {
    const { seconds } = await runClosedLoop(count, CONCURRENCY, () => this.request(path));
    return count / seconds;
  }

  async measureAppends(count: number): Promise<number> {
    this.child.send({ append: count } satisfies BareTask);
    const [rate] = (await once(this.child, 'message')) as [number];
    return rate;
  }

  /** Returns the deliveries per second of all events in the log to a new group. */
  async measureDrain(group: string, count: number): Promise<number> {
    this.receiver.reset();
    const startedAt = performance.now();
    this.child.send({ deliver: group } satisfies BareTask);
    await this.waitForReceived(count);
    return (count / (performance.now() - startedAt)) * 1e3;
  }

  /** Returns the events per second from the first request to the last arrival. */
  async measureEndToEnd(count: number): Promise<number> {
    this.receiver.reset();
    const startedAt = performance.now();
    await this.measureAnswers('/events', count);
    await this.waitForReceived(count);
    return (count / (performance.now() - startedAt)) * 1e3;
  }

  close(): void {
    void this.pool.destroy();
    this.child.disconnect();
  }

  private async request(path: string): Promise<void> {
    const post = { method: 'POST', body: BODY, headers: { 'content-type': 'application/json' } };
    const options = path === '/events' ? post : { method: 'GET' };
    const { statusCode, body } = await this.pool.request({ path, ...options });
    await body.dump();
    if (statusCode >= 300) throw new Error(`answered ${statusCode}`);
  }

  private async waitForReceived(count: number): Promise<void> {
    const giveUpAt = Date.now() + WAIT_LIMIT_MS;
    while ((await this.receiver.count()) < count) {
      if (Date.now() > giveUpAt) throw new Error('void: not everything arrived');
      await delay(5);
    }
  }
}
