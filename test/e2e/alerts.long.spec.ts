import { EventStoreDBClient } from '@eventstore/db-client';
import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { StoreServer } from '../../packages/embedded-eventstore/test/support/store-server';
import { runCli } from '../support/cli';
import { listAlerts, listExplainedFaults } from '../support/faults-of-the-guide';
import { GameDay, WAIT_LIMIT_MS } from '../support/game-day';
import { describeWithOwnPostgres, OwnPostgres } from '../support/own-postgres';
import { ALERTS } from '../support/prometheus';
import { ShiftedClock } from '../support/shifted-clock';
import { until } from '../support/until';

/** A case waits several times, each time for seconds on a quiet machine. */
jest.setTimeout(6 * WAIT_LIMIT_MS);

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

const starts: (() => Promise<void>)[] = [];

/** Starts a watched service for one case. It ends with the case. */
const startDay = async (...given: Parameters<typeof GameDay.start>): Promise<GameDay> => {
  const day = await GameDay.start(...given);
  starts.push(() => day.dispose());
  return day;
};

afterEach(async () => {
  for (const dispose of starts.splice(0).reverse()) await dispose();
});

const waitUntilFiring = (day: GameDay, alert: string): Promise<unknown> =>
  day.prometheus.untilFiring(alert, 2 * WAIT_LIMIT_MS);

const waitUntilQuiet = (day: GameDay, alert: string): Promise<unknown> => {
  day.prometheus.forget();
  return day.prometheus.untilQuiet(alert, 2 * WAIT_LIMIT_MS);
};

/** The alerts of this suite. The faults of the game day cause the others. */
const CASES: Readonly<Record<string, () => Promise<void>>> = {
  NoDispatcher: async () => {
    const day = await startDay({});
    await day.service.stop();
    await day.service.run({ ROLES: 'api,projector,replayer,timers' });
    await waitUntilFiring(day, 'NoDispatcher');
    const waiting = await day.submit();
    await day.service.stop();
    await day.service.run();
    await day.waitForArrivals([waiting]);
    await waitUntilQuiet(day, 'NoDispatcher');
  },

  OldestWaiting: async () => {
    const clock = new ShiftedClock();
    const day = await startDay(clock.options);
    // Fewer than ten events fail, so the receiver does not count as failing.
    day.answerStatus(503);
    await day.submit();
    clock.advance(20 * MINUTE_MS, day.service);
    await waitUntilFiring(day, 'OldestWaiting');
    day.answerStatus(200);
    await day.waitForArrivals();
    await waitUntilQuiet(day, 'OldestWaiting');
    clock.dispose();
  },

  ManyReceiversFailing: async () => {
    const day = await startDay({});
    const others = [await day.addReceiver(), await day.addReceiver()];
    const answerAll = (status: number): void => {
      day.answerStatus(status);
      for (const other of others) other.answerStatus(status);
    };
    answerAll(503);
    const submitted = await day.submitForAll();
    await waitUntilFiring(day, 'ManyReceiversFailing');
    answerAll(200);
    await day.waitForArrivals();
    for (const other of others) await day.waitForArrivals(submitted, other);
    await waitUntilQuiet(day, 'ManyReceiversFailing');
  },

  TimersOverdue: async () => {
    const clock = new ShiftedClock();
    clock.set(-2 * DAY_MS);
    const day = await startDay(clock.options);
    const { api } = day.tenant;
    const plan = { name: 'Pro', amount: 2000, currency: 'USD', interval: 'month' };
    await api.put('/v1/plans/pro', plan);
    const trial = { subscriber_id: day.subscribers[0], plan: 'pro', trial_days: 1 };
    const { id } = (await api.post('/v1/subscriptions', trial)).created;
    await day.service.stop();
    clock.set(0);
    await day.service.run({ ROLES: 'api,projector,dispatcher,replayer' });
    await waitUntilFiring(day, 'TimersOverdue');
    await day.service.stop();
    await day.service.run();
    await waitUntilQuiet(day, 'TimersOverdue');
    const { status } = (await api.get(`/v1/subscriptions/${String(id)}`)).ok;
    expect(status).not.toBe('trialing');
    clock.dispose();
  },

  SubscriptionUnconfirmed: async () => {
    const { day, store } = await startOnStore();
    await store.restart(['--fault', 'connect-unanswered=45s']);
    await waitUntilFiring(day, 'SubscriptionUnconfirmed');
    await waitUntilQuiet(day, 'SubscriptionUnconfirmed');
    await day.submit();
    await day.waitForArrivals();
  },

  LinksStandStill: async () => {
    const { day, store } = await startOnStore();
    const client = EventStoreDBClient.connectionString(store.connectionString);
    let isStopped = true;
    // The service starts the projection again and again, and each time it is stopped again.
    const stopping = (async () => {
      while (isStopped) {
        await client.disableProjection('$by_category');
        await delay(50);
      }
    })();
    const submitting = (async () => {
      while (isStopped) {
        await day.submit();
        await delay(1_000);
      }
    })();
    await waitUntilFiring(day, 'LinksStandStill').finally(() => (isStopped = false));
    await Promise.all([stopping, submitting]);
    await client.dispose();
    await day.waitForArrivals();
    await waitUntilQuiet(day, 'LinksStandStill');
  },

  SignInsFailing: async () => {
    const day = await startDay({ env: { TRUSTED_PROXIES: '127.0.0.1/32' } });
    const guess = async (i: number): Promise<void> => {
      const wrong = { email: `guessed${i}@example.com`, password: 'wrong' };
      const from = { 'x-forwarded-for': `192.0.2.${i}` };
      const answer = await day.service.browser.post('/console/v1/session', wrong, from);
      expect(answer.refusal[1]).toBe('sign_in_failed');
    };
    await day.prometheus.listFiringAlerts();
    for (let i = 1; i <= 60; i += 1) await guess(i);
    await waitUntilFiring(day, 'SignInsFailing');
    await waitUntilQuiet(day, 'SignInsFailing');
  },
};

/** Cases that hold a lock in the database of the service, or change its tables. */
const CASES_WITH_POSTGRES: Readonly<Record<string, (postgres: OwnPostgres) => Promise<void>>> = {
  SqlConnectionsExhausted: async (postgres) => {
    const day = await startDay({ database: postgres.database });
    const blocker = await postgres.connect();
    await blocker.query('begin; lock table read_model.tickets in access exclusive mode');
    let isBlocked = true;
    const readers = Array.from({ length: 40 }, async () => {
      while (isBlocked) await day.tenant.api.get('/v1/tickets');
    });
    await waitUntilFiring(day, 'SqlConnectionsExhausted');
    isBlocked = false;
    await blocker.end();
    await Promise.all(readers);
    await waitUntilQuiet(day, 'SqlConnectionsExhausted');
    await day.submit();
    await day.waitForArrivals();
  },

  UnprojectedEvents: async (postgres) => {
    const day = await startDay({ database: postgres.database });
    const administrator = await postgres.connect();
    const table = 'alter table read_model.tickets';
    await administrator.query(`${table} add constraint refusal check (topic <> 'other') not valid`);
    await day.prometheus.listFiringAlerts();
    const ticket = await day.submit();
    await waitUntilFiring(day, 'UnprojectedEvents');
    // An event that cannot be projected is still delivered, and later events are projected.
    await day.waitForArrivals([ticket]);
    const readTicket = async (): Promise<number> =>
      (await day.tenant.api.get(`/v1/tickets/${ticket}`)).status;
    expect(await readTicket()).toBe(404);
    await administrator.query(`${table} drop constraint refusal`);
    await administrator.end();
    const env = { OPERATOR_TOKEN: day.service.operatorToken };
    expect(await runCli(day.service, ['rebuild'], env)).toMatchObject({ code: 0 });
    await until('the row', async () => (await readTicket()) === 200);
    await waitUntilQuiet(day, 'UnprojectedEvents');
  },
};

const startOnStore = async (): Promise<{ day: GameDay; store: StoreServer }> => {
  const store = await StoreServer.start();
  starts.push(() => store.dispose());
  const env = {
    EVENTSTORE_URL: store.connectionString,
    MASTER_KEY: randomBytes(32).toString('base64'),
  };
  return { day: await startDay({ env }), store };
};

describe('the alerts', () => {
  it('are each tested, by a fault of the game day or by a case of this suite', () => {
    const caused = [
      ...listExplainedFaults().flatMap(listAlerts),
      ...Object.keys(CASES),
      ...Object.keys(CASES_WITH_POSTGRES),
    ];
    expect([...new Set(caused)].sort()).toEqual([...ALERTS].sort());
  });

  it.each(Object.entries(CASES))('%s fires while its fault lasts, and ends', (_, cause) => cause());
});

describeWithOwnPostgres('the alerts of SQL', () => {
  it.each(Object.entries(CASES_WITH_POSTGRES))(
    '%s fires while its fault lasts, and ends',
    async (_, cause) => {
      const postgres = await OwnPostgres.start();
      starts.push(() => postgres.dispose());
      await cause(postgres);
    },
  );
});
