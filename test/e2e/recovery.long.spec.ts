import { readdirSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Answer } from '../support/api';
import { Receiver } from '../support/receiver';
import { Service, type TestTenant } from '../support/service';
import { until } from '../support/until';

const listFilesBelow = (dir: string): string[] =>
  readdirSync(dir, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? listFilesBelow(join(dir, entry.name)) : [join(dir, entry.name)],
  );

const truncateLargestFile = (sql: string): void => {
  const sizes = listFilesBelow(join(sql, 'base')).map((file) => ({
    file,
    size: statSync(file).size,
  }));
  for (const { file, size } of sizes.filter((each) => each.size >= 8192))
    truncateSync(file, size >> 1);
};

const damageControlFile = (sql: string): void => {
  writeFileSync(join(sql, 'global', 'pg_control'), Buffer.alloc(8192, 7));
};

const removeBase = (sql: string): void => {
  rmSync(join(sql, 'base'), { recursive: true });
};

/** This suite needs embedded stores, because it damages the directory of the embedded database. */
describe('stopping, losing and damaging the embedded SQL database', () => {
  let service: Service;
  let tenant: TestTenant;
  let receiver: Receiver;
  let refusing: Receiver;

  beforeAll(async () => {
    service = await Service.start({ env: { TEST_RETRY_SCHEDULE: '0,3,600' } });
    tenant = await service.tenant();
    receiver = await Receiver.start();
    refusing = await Receiver.start((_, response) => {
      response.statusCode = 500;
      response.end();
    });
    for (const { url } of [receiver, refusing]) {
      const body = { type: 'https_webhook', url, environment: 'test' };
      (await service.operator.post(`/operator/v1/tenants/${tenant.id}/destinations`, body)).expect(
        201,
      );
    }
    await fill(tenant);
    await until('every event at the receiver', () => receiver.eventIds.length === EVENTS);
  });

  afterAll(async () => {
    await service.dispose();
    await receiver.close();
    await refusing.close();
  });

  const restartAfter = async (meanwhile: () => void): Promise<void> => {
    const before = await readLists(tenant);
    const delivered = receiver.received.length;
    expect(await service.stop()).toBe(0);
    meanwhile();
    await service.run();
    expect(await readLists(tenant)).toEqual(before);
    // A new event arrives after everything that the restart may have sent again.
    await fill(tenant);
    await until('the new events', () => receiver.eventIds.length === delivered + EVENTS);
    expect(receiver.received).toHaveLength(delivered + EVENTS);
  };

  it('keeps all data over a restart', async () => {
    await restartAfter(() => undefined);
  });

  it('rebuilds all data when the directory is missing, including the retry schedule', async () => {
    await restartAfter(() => {
      rmSync(join(service.dataDir, 'sql'), { recursive: true });
    });
    const first = refusing.received.filter(({ headers }) => headers['x-service-attempt'] === '1');
    refusing.answerStatus(200);
    await until('the retry of each event', () =>
      first.every(({ event }) =>
        refusing.received.some(
          (each) => each.event.id === event.id && Number(each.headers['x-service-attempt']) > 1,
        ),
      ),
    );
  });

  it.each([
    ['a truncated table', truncateLargestFile],
    ['a damaged control file', damageControlFile],
    ['missing files', removeBase],
  ])('detects %s, moves the directory aside and rebuilds it', async (_, damage) => {
    await restartAfter(() => {
      damage(join(service.dataDir, 'sql'));
    });
    expect(service.said).toContain('was damaged');
  });
});

const EVENTS = 6;

/** Creates six events of three subscribers. */
const fill = async ({ api }: TestTenant): Promise<void> => {
  for (const name of ['ada', 'ben', 'cyd']) {
    const email = `${name}@example.com`;
    const { id } = (await api.post('/v1/subscribers', { email, tags: [name] })).created;
    (await api.post('/v1/tickets', { subscriber_id: id, topic: 'other', subject: name })).expect(
      201,
    );
  }
};

/** Returns the content of the lists. */
const readLists = async ({ api }: TestTenant): Promise<unknown> => {
  const answers: Answer[] = [];
  for (const list of ['subscribers', 'tickets', 'events', 'subscriptions', 'plans']) {
    answers.push(await api.get(`/v1/${list}?limit=100`));
  }
  return answers.map(({ data }) => data);
};
