import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCli } from '../support/cli';
import { expectKept } from '../support/kept-version';
import { listEventIds } from '../support/ledger';
import { DAILY_SUBSCRIPTIONS, type Footprint, SimulatedDay } from '../support/simulated-day';
import { until } from '../support/until';

jest.setTimeout(1_800_000);

const HOURS = 24;
/** The version whose kept data this code upgrades at the beginning of the day. */
const BEFORE = '0.9.0';

/** The bytes that one event may take in the data directory, with two destinations. */
const EVENT_BYTES_MAX = 24 * 1024;
/** The bytes that the database needs for its own log, and the log's file to grow ahead. */
const RESERVE_BYTES = 96 * 1024 * 1024;
/** The growth of the heap in a day. The cache of states has a limit that a day does not reach. */
const HEAP_GROWTH_BYTES_MAX = 32 * 1024 * 1024;
/** Idle connections come and go. One that leaked with each request would be thousands. */
const OPEN_FILES_GROWTH_MAX = 64;
const MEMORY_BYTES_MAX = 1024 * 1024 * 1024;

/** The hours in which the same process runs. It has warmed up in the first half of them. */
const LONG_LIFE = { from: 9, warm: 13, to: 19 };

/**
 * The clock of the process moves an hour each time the work of an hour is done. Waits of seconds
 * take seconds, those of hours do not.
 */
describe('24 hours of operation', () => {
  let day: SimulatedDay;
  let filesBefore: Map<string, number>;
  let backup = '';

  beforeAll(async () => {
    day = await SimulatedDay.begin(BEFORE);
    filesBefore = day.listFiles();
  });
  afterAll(() => day?.dispose());

  const meanwhile: Readonly<Record<number, () => Promise<unknown>>> = {
    2: () => day.kill(),
    3: () => day.backUp(),
    4: () => day.kill(),
    8: () => day.restart(),
    10: () => takeReceiverDown(true),
    12: () => takeReceiverDown(false),
    14: () => day.backUp(),
    20: () => day.kill(),
    22: async () => (backup = await day.backUp()),
    23: () => day.kill(),
  };
  const takeReceiverDown = (isDown: boolean): Promise<void> => {
    day.strict.isDown = isDown;
    return Promise.resolve();
  };

  it('pass on the data of an earlier version with kills, a restart, backups, a restore and a receiver that is down', async () => {
    for (let hour = 0; hour < HOURS; hour += 1) {
      if (hour === 6) await day.loseAndRestore();
      await day.runHour(meanwhile[hour]);
    }
    await day.untilAllDelivered();
  });

  it('renew each subscription of a day once', async () => {
    const { api } = day.tenant;
    const payments = 2 * DAILY_SUBSCRIPTIONS;
    await until('the renewals', async () => {
      const { data } = await api.get('/v1/payments?limit=100');
      return data.length >= payments && data.every(({ status }) => status === 'succeeded');
    });
    expect((await api.get('/v1/payments?limit=100')).data).toHaveLength(payments);
  });

  it('deliver every event to both receivers, in order and none twice without a kill', async () => {
    const events = await listEventIds(day.tenant);
    expect(new Set(events).size).toBe(events.length);
    expect(events.length).toBeGreaterThan(day.accepted.length);
    for (const ledger of [day.steady, day.strict]) {
      await until('every event', () => ledger.hasEvents(events), 60_000);
      expect(ledger.listUnknownEvents(new Set(events))).toEqual([]);
      expect(ledger.listNeedlessRepeats()).toEqual([]);
      expect(ledger.listOvertaken()).toEqual([]);
    }
  });

  it('keep what the version before had, and read models without a difference', async () => {
    await expectKept(day.service, BEFORE);
    const verified = await runCli(day.service, ['projections', 'verify', '--whole']);
    expect(verified).toMatchObject({ code: 0 });
  });

  it('leave memory, open files and connections flat', () => {
    const { from, warm, to } = LONG_LIFE;
    const findLargest = (of: keyof Footprint, start: number, end: number): number =>
      Math.max(...day.footprints.slice(start, end + 1).map((footprint) => footprint[of]));
    const computeGrowth = (of: keyof Footprint): number =>
      findLargest(of, warm + 1, to) - findLargest(of, from, warm);
    expect(computeGrowth('heapBytes')).toBeLessThan(HEAP_GROWTH_BYTES_MAX);
    expect(computeGrowth('openFiles')).toBeLessThan(OPEN_FILES_GROWTH_MAX);
    expect(findLargest('memoryBytes', 0, HOURS)).toBeLessThan(MEMORY_BYTES_MAX);
  });

  it('leave files that are bounded by the number of events', () => {
    const files = day.listFiles();
    const sumBytes = (sizes: ReadonlyMap<string, number>): number =>
      [...sizes.values()].reduce((sum, size) => sum + size, 0);
    const grownBy = sumBytes(files) - sumBytes(filesBefore);
    expect(grownBy).toBeLessThan(RESERVE_BYTES + day.steady.receipts.length * EVENT_BYTES_MAX);
    const listTopDirectories = (sizes: ReadonlyMap<string, number>): Set<string> =>
      new Set([...sizes.keys()].map((path) => path.split('/')[0] ?? ''));
    expect(
      [...listTopDirectories(files)].filter((name) => !listTopDirectories(filesBefore).has(name)),
    ).toEqual([]);
  });

  it('leave a backup, made under load, that can be restored', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'restored-'));
    try {
      await day.service.stop();
      const restore = ['restore', backup, '--data-dir', join(directory, 'data')];
      expect(await runCli(day.service, restore)).toMatchObject({ code: 0 });
    } finally {
      rmSync(directory, { recursive: true, force: true });
    }
  });
});
