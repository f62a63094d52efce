import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { Api } from '../support/api';
import { Receiver } from '../support/receiver';
import { Service, type TestTenant } from '../support/service';
import { until } from '../support/until';

const NAMES = ['event-store', 'sql', 'api', 'projector', 'dispatcher-1', 'dispatcher-2'];
const SUBSCRIBERS = 5;
const CLIENTS = 3;
const TICKETS_BEFORE = 20;

/** The processes of the service by name: each has its name as its last argument. */
const processesOf = (service: Service): Map<string, number> => {
  const found = new Map<string, number>();
  for (const entry of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const stat = readFileSync(`/proc/${entry}/stat`, 'utf8');
      const [state, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      const name = readFileSync(`/proc/${entry}/cmdline`, 'utf8').split('\0').at(-2) ?? '';
      if (Number(parent) === service.pid && state !== 'Z') found.set(name, Number(entry));
    } catch {
      // It ended while it was looked at.
    }
  }
  return found;
};

interface Readiness {
  readonly status: number;
  readonly text: string;
}

const readinessOf = async (service: Service): Promise<Readiness> => {
  try {
    const answer = await fetch(`${service.url}/health/ready`);
    return { status: answer.status, text: await answer.text() };
  } catch {
    return { status: 0, text: 'the API does not answer' };
  }
};

const untilReady = (service: Service) =>
  until('the service to be ready', async () => (await readinessOf(service)).status === 200, 60_000);

/** The service on its embedded stores, as the processes that `npm start` makes where there are many cores. */
describe('several processes under one supervisor', () => {
  let service: Service;
  let tenant: TestTenant;
  let receiver: Receiver;
  let subscribers: string[];

  beforeAll(async () => {
    service = await Service.start({ env: { PROCESSES: '4' } });
    tenant = await service.tenant();
    receiver = await Receiver.start();
    const destination = { type: 'https_webhook', url: receiver.url };
    (await tenant.api.post('/v1/destinations', destination)).expect(201);
    subscribers = await Promise.all(
      Array.from({ length: SUBSCRIBERS }, async (_, i) => {
        const created = await tenant.api.post('/v1/subscribers', { email: `r${i}@example.com` });
        return created.created['id'] as string;
      }),
    );
  });

  afterAll(async () => {
    await service.dispose();
    await receiver.close();
  });

  /** Submits tickets until it is told to end; answers the ids of those that were accepted. */
  const submitUntil = async (isOver: () => boolean): Promise<string[]> => {
    const accepted: string[] = [];
    const api = new Api(() => service.url, tenant.key);
    const client = async (): Promise<void> => {
      while (!isOver()) {
        const subscriber_id = subscribers[accepted.length % SUBSCRIBERS];
        const key = randomBytes(8).toString('hex');
        const answer = await api
          .post(
            '/v1/tickets',
            { subscriber_id, topic: 'other', subject: 'x' },
            { 'idempotency-key': key },
          )
          .catch(() => null);
        if (answer?.status === 201) accepted.push(answer.created['id'] as string);
      }
    };
    await Promise.all(Array.from({ length: CLIENTS }, client));
    return accepted;
  };

  const ticketsReceived = (): Set<string> =>
    new Set(
      receiver
        .of('ticket.submitted')
        .map(
          ({ event }) => (event as unknown as { data: { ticket: { id: string } } }).data.ticket.id,
        ),
    );

  it('start, and say which they are', () => {
    expect([...processesOf(service).keys()].sort()).toEqual([...NAMES].sort());
    expect(service.said).toContain(`processes       ${NAMES.join(', ')}`);
  });

  it('show a write to the next read', async () => {
    for (let i = 0; i < 5; i += 1) {
      const email = `new${i}@example.com`;
      const { id } = (await tenant.api.post('/v1/subscribers', { email })).created;
      const { data } = await tenant.api.get('/v1/subscribers?limit=1');
      expect(data[0]).toMatchObject({ id });
    }
  });

  it('show the metrics of all of them, each under its name', async () => {
    const metrics = await (await fetch(`${service.url}/metrics`)).text();
    for (const name of ['api', 'projector', 'dispatcher-1', 'dispatcher-2']) {
      expect(metrics).toMatch(new RegExp(`build_info\\{.*process="${name}".*\\} 1`));
    }
  });

  it('ask the event store’s process for its maintenance', async () => {
    const answer = await service.operator.get('/operator/v1/store');
    expect([answer.status, answer.body['error']]).toEqual([200, null]);
  });

  it.each(NAMES)('deliver everything accepted when %s is killed', async (name) => {
    let isOver = false;
    const submitting = submitUntil(() => isOver);
    const before = ticketsReceived().size;
    await until('some tickets', () => ticketsReceived().size >= before + TICKETS_BEFORE, 60_000);
    const pid = processesOf(service).get(name);
    expect(pid).toBeDefined();
    process.kill(pid!, 'SIGKILL');
    const another = () => (processesOf(service).get(name) ?? pid) !== pid;
    await until(`another ${name}`, another, 60_000);
    await untilReady(service);
    isOver = true;
    const accepted = await submitting;
    expect(accepted.length).toBeGreaterThanOrEqual(TICKETS_BEFORE);
    await until(
      'every accepted ticket at the receiver',
      () => {
        const received = ticketsReceived();
        return accepted.every((id) => received.has(id));
      },
      60_000,
    );
    expect(service.running).toBe(true);
  });

  it('say at /health/ready which of them is missing', async () => {
    const missing = await until(
      'the readiness without a dispatcher',
      async () => {
        // Another one is soon there, so one kill may pass unseen.
        const pid = processesOf(service).get('dispatcher-1');
        if (pid !== undefined) process.kill(pid, 'SIGKILL');
        for (let i = 0; i < 20; i += 1) {
          const { status, text } = await readinessOf(service);
          if (text.includes('missing: dispatcher-1')) return { status, text };
        }
        return undefined;
      },
      60_000,
    );
    expect(missing.status).toBe(503);
    await untilReady(service);
  });

  it('end in order on SIGTERM, and go on with the same data', async () => {
    const children = [...processesOf(service).values()];
    expect(await service.stop()).toBe(0);
    for (const pid of children) expect(() => process.kill(pid, 0)).toThrow();
    await service.run();
    expect((await tenant.api.get(`/v1/subscribers/${subscribers[0]!}`)).status).toBe(200);
  });

  it('end with their supervisor, so that another one finds the data free', async () => {
    const children = [...processesOf(service).values()];
    await service.kill();
    await until('the end of its processes', () =>
      children.every((pid) => {
        try {
          return /\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
        } catch {
          return true;
        }
      }),
    );
    await service.run({ PROCESSES: '1' });
    expect(processesOf(service).size).toBe(0);
    expect((await tenant.api.get(`/v1/subscribers/${subscribers[0]!}`)).status).toBe(200);
  });
});
