import { randomBytes } from 'node:crypto';
import { runCli } from '../support/cli';
import { Cluster, describeWithPostgres } from '../support/cluster';
import { listEventIds, Ledger } from '../support/ledger';
import { type Build, CURRENT_VERSION, OLDER_CODE, prepareOlderBuild } from '../support/older-build';
import type { Service, TestTenant } from '../support/service';
import { until } from '../support/until';

const SUBSCRIBERS = 8;
const CLIENTS = 4;
/** The tickets that must be accepted in each stage of the upgrade. */
const TICKETS_A_STAGE = 60;
const WAIT_LIMIT_MS = 120_000;

jest.setTimeout(10 * WAIT_LIMIT_MS);

describeWithPostgres(`a rolling upgrade of two processes from ${OLDER_CODE}`, () => {
  let older: Build;
  let cluster: Cluster;
  let ledger: Ledger;
  let tenant: TestTenant;
  let subscribers: string[];
  const accepted: string[] = [];
  /** The processes that take requests. */
  let serving: Service[] = [];

  beforeAll(async () => {
    older = prepareOlderBuild();
    cluster = await Cluster.start();
    ledger = await Ledger.start();
    serving = [await cluster.join(older.directory), await cluster.join(older.directory)];
    const [first] = serving as [Service];
    tenant = await first.tenant();
    const path = `/operator/v1/tenants/${tenant.id}/destinations`;
    const destination = { type: 'https_webhook', environment: 'test', url: ledger.receiver.url };
    (await first.operator.post(path, destination)).expect(201);
    subscribers = await Promise.all(
      Array.from({ length: SUBSCRIBERS }, async (_, i) => {
        const person = { email: `reader${i}@example.com` };
        return (await tenant.api.post('/v1/subscribers', person)).created['id'] as string;
      }),
    );
  });

  afterAll(async () => {
    await cluster?.dispose();
    await ledger?.close();
    older?.dispose();
  });

  /** Submits a ticket to one of the processes and repeats it at any until it is accepted. */
  const submit = async (client: number): Promise<void> => {
    const subscriber_id = subscribers[accepted.length % SUBSCRIBERS];
    const ticket = { subscriber_id, topic: 'other', subject: 'rolling' };
    const key = { 'idempotency-key': randomBytes(8).toString('hex') };
    let tries = client;
    const id = await until(
      'a ticket to be accepted',
      async () => {
        tries += 1;
        const service = serving[tries % serving.length]!;
        const answer = await service.createApi(tenant.key).post('/v1/tickets', ticket, key);
        return answer.status === 201 ? (answer.body['id'] as string) : undefined;
      },
      WAIT_LIMIT_MS,
    );
    accepted.push(id);
  };

  const acceptMore = (): Promise<unknown> => {
    const enough = accepted.length + TICKETS_A_STAGE;
    return until('more tickets', () => accepted.length >= enough, WAIT_LIMIT_MS);
  };

  /** Returns the version that a process reports. Before 1.0.0 no process reported one. */
  const readVersion = async ({ url }: Service): Promise<string | undefined> =>
    ((await (await fetch(`${url}/health`)).json()) as { version?: string }).version;

  /** Starts a process of this version, and ends one of the older version while clients write. */
  const replaceOne = async (): Promise<void> => {
    const added = await cluster.join();
    expect(await readVersion(added)).toBe(CURRENT_VERSION);
    serving = [...serving, added];
    await acceptMore();
    const [replaced, ...others] = serving as [Service, ...Service[]];
    expect(await readVersion(replaced)).not.toBe(CURRENT_VERSION);
    // The load balancer takes a process out before it is stopped.
    serving = others;
    expect(await replaced.stop()).toBe(0);
    await acceptMore();
  };

  it('accepts and delivers throughout, in order and nothing twice', async () => {
    let isOver = false;
    const clients = Array.from({ length: CLIENTS }, async (_, client) => {
      while (!isOver) await submit(client);
    });
    try {
      await acceptMore();
      for (const _ of [...serving]) await replaceOne();
    } finally {
      isOver = true;
      await Promise.all(clients);
    }
    tenant = { ...tenant, api: serving[0]!.createApi(tenant.key) };
    const events = await listEventIds(tenant);
    await until('every event', () => ledger.hasEvents(events), WAIT_LIMIT_MS);
    expect(ledger.hasTickets(accepted)).toBe(true);
    // Read models of the older version are rebuilt meanwhile, so the newest event may be listed
    // late.
    await until(
      'every delivered event in the list',
      async () => ledger.listUnknownEvents(new Set(await listEventIds(tenant))).length === 0,
      WAIT_LIMIT_MS,
    );
    expect(ledger.listOvertaken()).toEqual([]);
    expect(ledger.listNeedlessRepeats()).toEqual([]);
  });

  it('leaves read models without a difference', async () => {
    const env = { OPERATOR_TOKEN: cluster.operatorToken };
    const verified = await runCli(serving[0]!, ['projections', 'verify', '--whole'], env);
    expect(verified).toMatchObject({ code: 0 });
  });
});
