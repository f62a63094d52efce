import { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { request } from 'undici';
import { Service, type TestTenant } from '../support/service';
import type { BenchOptions } from './main';
import { formatRate } from './support/load';
import { MemoryPeak } from './support/memory';

const POLL_MS = 100;
const PART = 2_000;
/** The time limit per line in ms, far above the time at any rate worth measuring. */
const WAIT_LIMIT_MS_EACH = 20;

interface Shape {
  readonly name: string;
  /** The text before the number in the subscribers' names. */
  readonly prefix: string;
  readonly lines: (n: number) => object[];
}

const buildSubscriberLine = (n: string): object => ({
  kind: 'subscriber',
  external_id: n,
  email: `${n}@example.com`,
});

const SHAPES: readonly Shape[] = [
  { name: 'subscribers alone', prefix: 'alone', lines: (n) => [buildSubscriberLine(`alone-${n}`)] },
  {
    name: 'subscribers with a subscription and a payment each',
    prefix: 'with',
    lines: (n) => [
      buildSubscriberLine(`with-${n}`),
      {
        kind: 'subscription',
        external_id: `s-${n}`,
        subscriber_external_id: `with-${n}`,
        plan: 'pro',
        status: 'active',
        current_period_start: new Date(Date.now() - 86_400_000).toISOString(),
        current_period_end: new Date(Date.now() + 20 * 86_400_000).toISOString(),
      },
      {
        kind: 'payment',
        external_id: `p-${n}`,
        subscription_external_id: `s-${n}`,
        amount: 900,
        currency: 'USD',
        status: 'succeeded',
        occurred_at: new Date(Date.now() - 86_400_000).toISOString(),
      },
    ],
  },
];

/**
 * Measures the import of a tenant, from the upload's first byte to `completed`, its cost for the
 * service (CPU of all its threads, including the projector's; resident memory), and the lag of the
 * read models afterwards. `--size` is the number of subscribers of each shape.
 */
export const run = async ({ size = 20_000 }: BenchOptions): Promise<void> => {
  for (const shape of SHAPES) {
    const service = await Service.start();
    try {
      const tenant = await service.tenant();
      const plan = { name: 'Pro', amount: 900, currency: 'USD', interval: 'month' };
      (await tenant.api.put('/v1/plans/pro', plan)).expect(200);
      console.log(`-- ${shape.name}: ${size.toLocaleString('en')}`);
      await measure(service, tenant, { shape, size });
    } finally {
      await service.dispose();
    }
  }
};

const measure = async (
  service: Service,
  tenant: TestTenant,
  { shape, size }: { shape: Shape; size: number },
): Promise<void> => {
  const [startedAt, cpuBefore] = [performance.now(), service.cpuSeconds];
  const id = await upload(service, tenant, generateLines(shape, size));
  const uploadedAt = performance.now();
  const memory = new MemoryPeak(service);
  const waitLimitMs = 60_000 + size * WAIT_LIMIT_MS_EACH;
  await until(tenant, { path: `/v1/imports/${id}`, waitLimitMs }, ({ status }) => {
    memory.recordMemory();
    if (status === 'completed' || status === 'queued' || status === 'in_progress') {
      return status === 'completed';
    }
    throw new Error(`void: the import ended ${String(status)}`);
  });
  const seconds = (performance.now() - startedAt) / 1000;
  const cpu = ((service.cpuSeconds - cpuBefore) / size) * 1e6;
  console.log(
    `import: ${formatRate(size, seconds)} subscribers (target 5,000/s), ` +
      `upload ${((uploadedAt - startedAt) / 1000).toFixed(1)} s, CPU ${cpu.toFixed(0)} µs a subscriber`,
  );
  console.log(`memory: ${memory.describePeak()}`);
  const endedAt = performance.now();
  const last = `/v1/subscribers?external_id=${shape.prefix}-${size - 1}`;
  await until(tenant, { path: last, waitLimitMs }, ({ data }) => (data as unknown[]).length > 0);
  console.log(
    `read models behind at its end: ${((performance.now() - endedAt) / 1000).toFixed(1)} s`,
  );
};

const upload = async (
  service: Service,
  tenant: TestTenant,
  body: AsyncIterable<Buffer>,
): Promise<string> => {
  const answer = await request(`${service.url}/v1/imports`, {
    method: 'POST',
    headers: { authorization: `Bearer ${tenant.key}`, 'content-type': 'application/x-ndjson' },
    body: Readable.from(body),
    headersTimeout: 0,
  });
  const { id } = (await answer.body.json()) as { id: string };
  if (answer.statusCode !== 202) throw new Error(`void: answered ${answer.statusCode}`);
  return id;
};

const until = async (
  tenant: TestTenant,
  { path, waitLimitMs }: { path: string; waitLimitMs: number },
  isSo: (body: Record<string, unknown>) => boolean,
): Promise<void> => {
  const giveUpAt = performance.now() + waitLimitMs;
  while (!isSo((await tenant.api.get(path)).ok)) {
    if (performance.now() > giveUpAt) throw new Error(`void: waited too long for ${path}`);
    await delay(POLL_MS);
  }
};

async function* generateLines({ lines: linesOf }: Shape, size: number): AsyncGenerator<Buffer> {
  for (let from = 0; from < size; from += PART) {
    const some = Array.from({ length: Math.min(PART, size - from) }, (_, i) =>
      linesOf(from + i)
        .map((line) => `${JSON.stringify(line)}\n`)
        .join(''),
    );
    yield await Promise.resolve(Buffer.from(some.join('')));
  }
}
