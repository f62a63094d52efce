import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Service, type TestTenant } from '../support/service';
import { until } from '../support/until';

const MIB = 1024 * 1024;
/** The limit of disk growth by an import of half a megabyte of bad lines: forty times its size. */
const GROWTH_BYTES_MAX = 20 * MIB;
const READ_MS_MAX = 100;
const SEEDED = 100_000;
const READS = 500;

describe('the load of one tenant', () => {
  let service: Service;
  let noisy: TestTenant;
  let quiet: TestTenant;

  beforeAll(async () => {
    service = await Service.start();
    noisy = await service.tenant('test');
    quiet = await service.tenant('live');
    await quiet.api.post('/v1/subscribers', { email: 'ada@example.com' });
  });

  afterAll(() => service.dispose());

  const countBytes = (dir: string): number =>
    readdirSync(dir, { withFileTypes: true, recursive: true })
      .filter((entry) => entry.isFile())
      .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).blocks * 512, 0);

  const waitForEnd = (id: string): Promise<unknown> =>
    until(
      'the import to end',
      async () => (await noisy.api.get(`/v1/imports/${id}`)).ok['finished_at'],
      300_000,
    );

  it('leaves little on disk after an import of 498 KiB of bad lines', async () => {
    const before = countBytes(service.dataDir);
    const body = '{}\n'.repeat((498 * 1024) / 3);
    const headers = { 'content-type': 'application/x-ndjson' };
    const { id } = (await noisy.api.post('/v1/imports', body, headers)).expect(202);
    await waitForEnd(String(id));
    const { data } = await noisy.api.get(`/v1/imports/${String(id)}/errors?limit=100`);
    expect(data).toHaveLength(100);
    const grown = countBytes(service.dataDir) - before;
    console.log(`an import of 498 KiB of bad lines takes ${(grown / MIB).toFixed(1)} MiB on disk`);
    expect(grown).toBeLessThan(GROWTH_BYTES_MAX);
  }, 400_000);

  /** Returns the times of live reads, one after the other, in milliseconds. */
  const readTimes = async (): Promise<number[]> => {
    const times: number[] = [];
    for (let read = 0; read < READS; read += 1) {
      const startedAt = performance.now();
      (await quiet.api.get('/v1/subscribers')).expect(200);
      times.push(performance.now() - startedAt);
    }
    return times;
  };

  const computeP99 = (times: readonly number[]): number =>
    times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? Infinity;

  it('keeps live reads of another tenant below 100 ms while a test environment is seeded', async () => {
    await readTimes();
    const aloneMs = computeP99(await readTimes());
    const seed = { subscribers: SEEDED };
    const { id } = (await noisy.api.post('/v1/test_helpers/seed', seed)).expect(202);
    const besideMs = computeP99(await readTimes());
    expect((await noisy.api.get(`/v1/imports/${String(id)}`)).ok['finished_at']).toBeNull();
    console.log(
      `p99 of live reads: ${aloneMs.toFixed(0)} ms, ${besideMs.toFixed(0)} ms beside a seed`,
    );
    // On a busy machine reads are slow even without the seed.
    expect(besideMs).toBeLessThan(Math.max(READ_MS_MAX, 2 * aloneMs));
  }, 400_000);
});
