import { Pool } from 'undici';
import { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { Service, type TestTenant } from '../support/service';
import type { BenchOptions } from './main';
import { runClosedLoop, formatLatencies, computePercentile, formatRate } from './support/load';
import { formatMebibytes, MemoryPeak } from './support/memory';

const SMALL = 1_000;
const READS = 1_000;
const WRITES = 4_000;
const CONSTANTS = 10_000;
/**
 * The number of uncounted requests of each kind before the measurement. The first thousands are
 * slow on every machine.
 */
const WARM_UP = 1_000;
const CONCURRENCY = 16;
const IMPORT_POLL_MS = 250;
const LINES_PER_PART = 5_000;

/**
 * Measures reads and writes per second with few and with many subscribers. `--size` is the larger
 * number. The baseline is a constant response (`/health/live`) of the same server to the same
 * client.
 */
export const run = async ({ size = 20_000 }: BenchOptions): Promise<void> => {
  const service = await Service.start();
  try {
    const bench = new Bench(service, await service.tenant());
    await bench.grow(SMALL);
    const few = await bench.measure(`${SMALL.toLocaleString('en')} subscribers`);
    await bench.grow(size - SMALL);
    const many = await bench.measure(`${size.toLocaleString('en')} subscribers`);
    console.log(
      `list page p50, many / few: ${(many.listMs / few.listMs).toFixed(2)} (target 1.5); ` +
        `writes / constant: ${(many.writesPerSecond / many.constantPerSecond).toFixed(2)} (target 0.25)`,
    );
    console.log(`memory: ${formatMebibytes(service.memory)}`);
  } finally {
    await service.dispose();
  }
};

interface Measured {
  readonly constantPerSecond: number;
  readonly listMs: number;
  readonly writesPerSecond: number;
}

class Bench {
  private readonly pool: Pool;
  private readonly ids: string[] = [];
  private grown = 0;

  constructor(
    private readonly service: Service,
    private readonly tenant: TestTenant,
  ) {
    this.pool = new Pool(service.url, { connections: CONCURRENCY * 2, headersTimeout: 0 });
  }

  /** Returns the number of requests per second that are answered without any work. */
  private measureConstant(): Promise<number> {
    return this.measureRate('baseline, a constant', CONSTANTS, () =>
      this.call('GET', '/health/live'),
    );
  }

  /** Adds subscribers by an import, and reports its speed. */
  async grow(count: number): Promise<void> {
    const startedAt = performance.now();
    const { statusCode, body } = await this.pool.request({
      method: 'POST',
      path: '/v1/imports',
      headers: { ...this.createHeaders(), 'content-type': 'application/x-ndjson' },
      body: Readable.from(this.generateLines(count)),
    });
    const { id } = (await body.json()) as { id: string };
    if (statusCode !== 202) throw new Error(`void: the import was answered ${statusCode}`);
    const memory = new MemoryPeak(this.service);
    for (;;) {
      const { ok } = await this.tenant.api.get(`/v1/imports/${id}`);
      memory.recordMemory();
      if (ok['status'] === 'completed') break;
      if (ok['status'] !== 'queued' && ok['status'] !== 'in_progress') {
        throw new Error(`void: the import ended ${String(ok['status'])}`);
      }
      await delay(IMPORT_POLL_MS);
    }
    const seconds = (performance.now() - startedAt) / 1000;
    this.grown += count;
    console.log(
      `import: ${formatRate(count, seconds)} subscribers (target 5,000/s), memory ${memory.describePeak()}`,
    );
    const { data } = await this.tenant.api.get('/v1/subscribers?limit=100');
    this.ids.splice(0, this.ids.length, ...data.map((each) => each['id'] as string));
  }

  async measure(name: string): Promise<Measured> {
    console.log(`-- ${name}`);
    const constantPerSecond = await this.measureConstant();
    const listMs = await this.measureReads('list', () => '/v1/subscribers?limit=50');
    await this.measureReads('list, status', () => '/v1/subscribers?status=active&limit=50');
    const since = encodeURIComponent(new Date(Date.now() - 86_400_000).toISOString());
    await this.measureReads(
      'list, created_after',
      () => `/v1/subscribers?created_after=${since}&limit=50`,
    );
    await this.measureReads('get', (i) => `/v1/subscribers/${this.ids[i % this.ids.length]!}`);
    await this.measureWrites('write, hot subscriber', () => this.ids[0]!);
    const writesPerSecond = await this.measureWrites(
      'write, other subscribers',
      (i) => this.ids[i % this.ids.length]!,
    );
    return { constantPerSecond, listMs, writesPerSecond };
  }

  private async measureReads(name: string, path: (i: number) => string): Promise<number> {
    const { seconds, latenciesMs } = await runClosedLoop(READS, CONCURRENCY, (i) =>
      this.call('GET', path(i)),
    );
    console.log(`${name}: ${formatRate(READS, seconds)} (${formatLatencies(latenciesMs)})`);
    return computePercentile(latenciesMs, 50);
  }

  private measureWrites(name: string, id: (i: number) => string): Promise<number> {
    return this.measureRate(name, WRITES, (i) =>
      this.call('PATCH', `/v1/subscribers/${id(i)}`, { tags: [`t${i}`] }),
    );
  }

  private async measureRate(
    name: string,
    count: number,
    call: (i: number) => Promise<void>,
  ): Promise<number> {
    await runClosedLoop(WARM_UP, CONCURRENCY, call);
    const { seconds, latenciesMs } = await runClosedLoop(count, CONCURRENCY, (i) =>
      call(WARM_UP + i),
    );
    console.log(`${name}: ${formatRate(count, seconds)} (${formatLatencies(latenciesMs)})`);
    return count / seconds;
  }

  private async call(method: 'GET' | 'PATCH', path: string, body?: object): Promise<void> {
    const answer = await this.pool.request({
      method,
      path,
      headers: { ...this.createHeaders(), 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    await answer.body.dump();
    if (answer.statusCode !== 200) throw new Error(`void: ${path} answered ${answer.statusCode}`);
  }

  private createHeaders(): Record<string, string> {
    return { authorization: `Bearer ${this.tenant.key}` };
  }

  private async *generateLines(count: number): AsyncGenerator<Buffer> {
    for (let from = 0; from < count; from += LINES_PER_PART) {
      const some = Array.from({ length: Math.min(LINES_PER_PART, count - from) }, (_, i) => {
        const n = this.grown + from + i;
        return `{"kind":"subscriber","external_id":"bench-${n}","email":"r${n}@example.com"}\n`;
      });
      yield await Promise.resolve(Buffer.from(some.join('')));
    }
  }
}
