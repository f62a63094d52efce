import { createHash, randomBytes } from 'node:crypto';
import { readdirSync, readFileSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { StoreServer } from '../../packages/embedded-eventstore/test/support/store-server';
import { listAlerts, listExplainedFaults } from '../support/faults-of-the-guide';
import { GameDay, WAIT_LIMIT_MS } from '../support/game-day';
import { Prometheus } from '../support/prometheus';
import { describeWithOwnPostgres, OwnPostgres } from '../support/own-postgres';
import type { Service } from '../support/service';
import { ShiftedClock } from '../support/shifted-clock';
import { locateDirectory, fillDisk, smallDisk } from '../support/small-disk';
import { until } from '../support/until';

/** A case waits several times, each time for seconds on a quiet machine. */
jest.setTimeout(6 * WAIT_LIMIT_MS);

const HOUR_MS = 3_600_000;
/** The projection lag must exceed a minute before it is an alert. */
const LAG_WAIT_LIMIT_MS = 180_000;
/** A refusal in ms: it does not wait for the store, which is tried for 12 s when it is away. */
const REFUSAL_MS = 4_000;
/** A write waits up to 12 s for a store that is away. The rest is for a busy machine. */
const STORE_WAIT_LIMIT_MS = 15_000;
/**
 * The time of a slow response in ms, longer than the alert allows and shorter than the limit of an
 * attempt.
 */
const SLOW_ANSWER_MS = 11_000;

/** The faults that the guide explains, in its order. Each is caused below. */
const FAULTS = [
  'store away',
  'store slow',
  'SQL away',
  'SQL full',
  'disk full',
  'receiver down',
  'receiver slow',
  'clock back',
  'process killed',
  'two processes with one directory',
  'master key missing',
];

describe('the game day', () => {
  it('is explained in the operating guide, fault by fault', () => {
    expect(listExplainedFaults()).toEqual(FAULTS);
  });
});

describe('on a game day, a service with a store of its own', () => {
  const clock = new ShiftedClock();
  let store: StoreServer;
  let day: GameDay;

  beforeAll(async () => {
    store = await StoreServer.start();
    const { env: clockEnv, nodeFlags } = clock.options;
    const env = {
      ...clockEnv,
      EVENTSTORE_URL: store.connectionString,
      MASTER_KEY: randomBytes(32).toString('base64'),
    };
    day = await GameDay.start({ env, nodeFlags });
  });
  afterAll(async () => {
    await day?.dispose();
    await store?.dispose();
    clock.dispose();
  });

  it('survives a store that is away', async () => {
    await store.signal('SIGKILL');
    await day.untilAlerted('store away');
    const beganAt = performance.now();
    expect(await day.tryToSubmit()).toBe(503);
    expect(performance.now() - beganAt).toBeLessThan(STORE_WAIT_LIMIT_MS);
    await store.run();
    await day.submit();
    await day.waitForArrivals();
    await day.untilQuiet('store away');
  });

  it('survives a store that is slow', async () => {
    const repeatsBefore = day.countRepeats();
    await day.prometheus.listFiringAlerts();
    await store.inject('late-answer=100%');
    await day.submit();
    await day.untilAlerted('store slow');
    await store.clearFaults();
    await day.submit();
    await day.waitForArrivals();
    expect(day.countRepeats()).toBe(repeatsBefore);
    await day.untilQuiet('store slow');
  });

  it('survives a receiver that is down', async () => {
    day.answerStatus(503);
    await day.submitForAll();
    await day.untilAlerted('receiver down');
    await day.submitForAll();
    day.answerStatus(200);
    await day.waitForArrivals();
    expect(day.listOvertaken()).toEqual([]);
    await day.untilQuiet('receiver down');
  });

  it('survives a receiver that is slow', async () => {
    const other = await day.addReceiver();
    await day.prometheus.listFiringAlerts();
    let areSlow = true;
    day.answerWith((_, response) => {
      setTimeout(() => response.end(), areSlow ? SLOW_ANSWER_MS : 0);
    });
    const submitted = await day.submitForAll();
    // The slow receiver answers later than this.
    await day.waitForArrivals(submitted, other);
    await day.untilAlerted('receiver slow');
    areSlow = false;
    await day.submitForAll();
    await day.waitForArrivals();
    await day.untilQuiet('receiver slow');
  });

  it('survives a clock that is set back', async () => {
    day.answerStatus(503);
    await day.submit();
    clock.set(-HOUR_MS, day.service);
    await day.untilAlerted('clock back');
    day.answerStatus(200);
    // The retry for the first subscriber waits for the clock.
    await day.waitForArrivals([await day.submit(1)]);
    clock.set(0, day.service);
    await day.untilQuiet('clock back');
    await day.submit();
    await day.waitForArrivals();
  });
});

describe('on a game day, a service with embedded stores', () => {
  let day: GameDay;
  let service: Service;

  beforeAll(async () => {
    day = await GameDay.start({});
    ({ service } = day);
  });
  afterAll(() => day?.dispose());

  it('delivers everything after it was killed and started again', async () => {
    // The receiver has the request and has not answered when the process is killed.
    const inFlight = new Promise<string>((resolve) => {
      day.answerWith(({ event }) => {
        resolve(event.id);
      });
    });
    await day.submit();
    const eventId = await inFlight;
    await day.service.kill();
    day.answerStatus(200);
    await day.untilAlerted('process killed');
    await day.service.run();
    await day.untilQuiet('process killed');
    await day.submit();
    await day.waitForArrivals();
    await until('the repetition', () => day.countAttempts(eventId) === 2, WAIT_LIMIT_MS);
  });

  it('keeps a second process away from its directory and goes on', async () => {
    const nobody = 'http://127.0.0.1:9';
    const prometheus = new Prometheus(() => [service.url, nobody]);
    await expect(service.createSibling().run()).rejects.toThrow(
      /code 1 [^]*locked by process \d+[^]*already runs at http/,
    );
    expect(listAlerts('two processes with one directory')).not.toEqual([]);
    for (const alert of listAlerts('two processes with one directory'))
      await prometheus.untilFiring(alert, WAIT_LIMIT_MS);
    expect(await prometheus.listFiringAlerts()).not.toContain('ServiceMissing');
    expect((await fetch(`${service.url}/health/ready`)).status).toBe(200);
  });

  it('does not start without its master key, and starts when the key is back', async () => {
    const file = join(service.dataDir, 'master-key');
    const prometheus = new Prometheus(() => [service.url]);
    await service.stop();
    renameSync(file, `${file}.away`);
    const filesBefore = hashFiles(service.dataDir);
    await expect(service.run()).rejects.toThrow(/code 78[^]*MASTER_KEY[^]*bring the file back/);
    expect(hashFiles(service.dataDir)).toEqual(filesBefore);
    for (const alert of listAlerts('master key missing'))
      await prometheus.untilFiring(alert, WAIT_LIMIT_MS);
    renameSync(`${file}.away`, file);
    await service.run();
    for (const alert of listAlerts('master key missing'))
      await prometheus.untilQuiet(alert, WAIT_LIMIT_MS);
  });
});

describeWithOwnPostgres('on a game day, a service with a PostgreSQL of its own', () => {
  let postgres: OwnPostgres;
  let day: GameDay;

  beforeAll(async () => {
    postgres = await OwnPostgres.start();
    day = await GameDay.start({ database: postgres.database });
  });
  afterAll(async () => {
    await day?.dispose();
    await postgres?.dispose();
  });

  /** Waits until the read models have every accepted ticket. */
  const waitUntilListed = ({ accepted, tenant }: GameDay): Promise<unknown> =>
    until(
      'every accepted ticket in the read models',
      async () => {
        for (const id of accepted) {
          if ((await tenant.api.get(`/v1/tickets/${id}`)).status !== 200) return false;
        }
        return true;
      },
      WAIT_LIMIT_MS,
    );

  /** Submits a ticket that waits for its receiver while the fault lasts. */
  const submitForLater = async (): Promise<string> => {
    day.answerStatus(503);
    return day.submit();
  };

  it('survives SQL that is away, and delivers meanwhile', async () => {
    const waiting = await submitForLater();
    await postgres.stop();
    await day.untilAlerted('SQL away');
    expect(await day.tryToSubmit()).toBe(503);
    expect((await day.tenant.api.get('/v1/tickets')).status).toBe(503);
    day.answerStatus(200);
    await day.waitForArrivals([waiting]);
    expect(day.service.running).toBe(true);
    await postgres.run();
    await day.submit();
    await day.waitForArrivals();
    await waitUntilListed(day);
    await day.untilQuiet('SQL away');
  });

  it('survives SQL whose disk is full, and delivers meanwhile', async () => {
    const waiting = await submitForLater();
    const makeRoom = fillDisk(postgres.tablesDirectory);
    const alerted = day.untilAlerted('SQL full', LAG_WAIT_LIMIT_MS);
    let isAlerted = false;
    void alerted.then(() => (isAlerted = true));
    const refusals = until(
      'writes to be refused while the alerts begin',
      async () => (await day.tryToSubmit()) === 503 && isAlerted,
      LAG_WAIT_LIMIT_MS,
    );
    await Promise.all([alerted, refusals]);
    day.answerStatus(200);
    await day.waitForArrivals([waiting]);
    expect(day.service.running).toBe(true);
    makeRoom();
    await day.submit();
    await day.waitForArrivals();
    await waitUntilListed(day);
    await day.untilQuiet('SQL full');
  });
});

/** It is left out where a process cannot have a disk of its own. */
const describeWithDisk = smallDisk === null ? describe.skip : describe;

describeWithDisk('on a game day, a service on a small disk', () => {
  let day: GameDay;

  beforeAll(async () => {
    day = await GameDay.start({ wrapper: smallDisk ?? [] });
  });
  afterAll(() => day?.dispose());

  it('refuses writes at once while the disk is full to its last byte, and goes on when there is room', async () => {
    day.answerStatus(503);
    const waiting = await day.submit();
    const makeRoom = fillDisk(locateDirectory(day.service.pid, day.service.dataDir));
    await until(
      'writes to be refused',
      async () => (await day.tryToSubmit()) === 503,
      WAIT_LIMIT_MS,
    );
    const beganAt = performance.now();
    expect(await day.tryToSubmit()).toBe(503);
    expect(performance.now() - beganAt).toBeLessThan(REFUSAL_MS);
    expect(await readDiskCheck(day.service)).toEqual({ status: 503, disk: 'full' });
    (await day.tenant.api.get('/v1/tickets')).expect(200);
    day.answerStatus(200);
    await day.waitForArrivals([waiting]);
    await day.untilAlerted('disk full');
    expect(day.service.running).toBe(true);
    makeRoom();
    await day.submit();
    await day.waitForArrivals();
    expect(await readDiskCheck(day.service)).toEqual({ status: 200, disk: 'ok' });
    await day.untilQuiet('disk full');
  });
});

/** Returns the files below a directory, each with a hash of its content. */
const hashFiles = (directory: string): ReadonlyMap<string, string> =>
  new Map(
    readdirSync(directory, { recursive: true, encoding: 'utf8' })
      .filter((name) => statSync(join(directory, name)).isFile())
      .map((name) => [
        name,
        createHash('sha256')
          .update(readFileSync(join(directory, name)))
          .digest('hex'),
      ]),
  );

interface DiskCheck {
  readonly status: number;
  readonly disk: unknown;
}

/** Returns the status of the readiness response and its check of the disk. */
const readDiskCheck = async ({ url }: Service): Promise<DiskCheck> => {
  const answer = await fetch(`${url}/health/ready`);
  const body = (await answer.json()) as ReadyBody;
  return { status: answer.status, disk: (body.checks ?? body.error?.details)?.['disk'] };
};

interface ReadyBody {
  readonly checks?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly details?: Readonly<Record<string, unknown>> };
}
