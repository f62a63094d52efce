import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCli } from '../support/cli';
import { readEverything } from '../support/everything';
import { Service, type TestTenant } from '../support/service';
import { until } from '../support/until';

const CLIENTS = 4;
/** The number of accepted requests before the backup begins, and after it has ended. */
const ACCEPTED_AROUND = 100;
const WAIT_LIMIT_MS = 60_000;

jest.setTimeout(5 * WAIT_LIMIT_MS);

type Item = Readonly<Record<string, unknown>> & { readonly id: string };

describe('a backup that is made while clients write', () => {
  let service: Service;
  let restored: Service | undefined;
  let tenant: TestTenant;
  let place: string;
  /** The accepted tickets of each client, in the order of its requests. */
  const accepted: string[][] = Array.from({ length: CLIENTS }, () => []);
  let acceptedBefore: string[] = [];

  beforeAll(async () => {
    place = mkdtempSync(join(tmpdir(), 'ses-backup-'));
    service = await Service.start({ env: { RATE_LIMIT_TEST: '10000' } });
    tenant = await service.tenant();
    const backup = join(place, 'backup');
    await writeDuring(async () => {
      acceptedBefore = accepted.flat();
      expect(await runCli(service, ['backup', backup])).toMatchObject({ code: 0 });
    });
    restored = await Service.startOn(
      async (dataDir) => {
        const restore = ['restore', backup, '--data-dir', dataDir];
        expect(await runCli(service, restore)).toMatchObject({ code: 0 });
      },
      { env: { RATE_LIMIT_TEST: '10000', RATE_LIMIT_METRICS: '1000' } },
    );
    const { api } = openTenant(restored);
    await until('the read models', async () => (await api.get('/v1/tickets')).status === 200);
  }, 5 * WAIT_LIMIT_MS);
  afterAll(async () => {
    await restored?.dispose();
    await service?.dispose();
    rmSync(place, { recursive: true, force: true });
  });

  const openTenant = (on: Service): TestTenant => ({ ...tenant, api: on.createApi(tenant.key) });

  /** Runs the work while each client creates subscribers with a ticket, one after the other. */
  const writeDuring = async (work: () => Promise<void>): Promise<void> => {
    let isOver = false;
    const acceptMore = (): Promise<unknown> => {
      const enough = accepted.flat().length + ACCEPTED_AROUND;
      return until('accepted tickets', () => accepted.flat().length >= enough, WAIT_LIMIT_MS);
    };
    const clients = accepted.map(async (tickets, client) => {
      while (!isOver) {
        const person = { email: `reader${client}-${tickets.length}@example.com` };
        const { id } = (await tenant.api.post('/v1/subscribers', person)).created;
        const ticket = { subscriber_id: id, topic: 'other', subject: 'written meanwhile' };
        tickets.push((await tenant.api.post('/v1/tickets', ticket)).created['id'] as string);
      }
    });
    try {
      await acceptMore();
      await work();
      await acceptMore();
    } finally {
      isOver = true;
      await Promise.all(clients);
    }
  };

  const readLists = async (on: Service): Promise<Map<string, Item>> => {
    const everything = await readEverything(on, openTenant(on));
    const items = ['/v1/subscribers', '/v1/tickets', '/v1/events'].flatMap(
      (path) => everything[path] as Item[],
    );
    return new Map(items.map((item) => [item.id, item]));
  };

  it('contains everything that was accepted before it, and of later requests the first ones', async () => {
    const { api } = openTenant(restored!);
    const found = new Set<string>();
    for (const id of accepted.flat()) {
      if ((await api.get(`/v1/tickets/${id}`)).status === 200) found.add(id);
    }
    expect(acceptedBefore.filter((id) => !found.has(id))).toEqual([]);
    expect(found.size).toBeLessThan(accepted.flat().length);
    for (const tickets of accepted) {
      const last = tickets.findLastIndex((id) => found.has(id));
      expect(tickets.slice(0, last + 1).filter((id) => !found.has(id))).toEqual([]);
    }
  });

  it('contains every object as the service has it, and no other', async () => {
    const [original, copy] = [await readLists(service), await readLists(restored!)];
    expect(copy.size).toBeGreaterThan(2 * ACCEPTED_AROUND);
    for (const [id, item] of copy) expect(item).toEqual(original.get(id));
  });

  it('gives read models without a difference, and takes new requests', async () => {
    const verified = await runCli(restored!, ['projections', 'verify', '--whole']);
    expect(verified).toMatchObject({ code: 0 });
    const person = { email: 'later@example.com' };
    (await openTenant(restored!).api.post('/v1/subscribers', person)).expect(201);
  });
});
