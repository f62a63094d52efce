import { setTimeout as delay } from 'node:timers/promises';
import { Receiver } from '../support/receiver';
import { Service } from '../support/service';
import { until } from '../support/until';

const SUBSCRIBERS = 300;
const WINDOW_MS = 20_000;
/** The work after a start ends within a minute. The other windows are for a busy machine. */
const WINDOWS_MAX = 9;
const RESIDENT_MIB_MAX = 350;
/** A quiet machine uses less than 0.01. CPU time costs more where others use the caches. */
const CPU_SHARE_MAX = 0.02;

jest.setTimeout(WINDOWS_MAX * WINDOW_MS + 60_000);

/** The resources that a service used in one window. */
interface Usage {
  /** The share of one core. */
  readonly cpu: number;
  readonly residentMib: number;
}

const measure = async (service: Service): Promise<Usage> => {
  const [startedAt, cpuBefore] = [performance.now(), service.cpuSeconds];
  await delay(WINDOW_MS);
  const seconds = (performance.now() - startedAt) / 1000;
  return {
    cpu: (service.cpuSeconds - cpuBefore) / seconds,
    residentMib: service.memory.resident / 2 ** 20,
  };
};

const isWithinLimits = (usage: Usage | undefined): boolean =>
  usage !== undefined && usage.cpu <= CPU_SHARE_MAX && usage.residentMib <= RESIDENT_MIB_MAX;

describe('a service with the embedded stores and data that has nothing to do', () => {
  let service: Service;
  let receiver: Receiver;

  beforeAll(async () => {
    receiver = await Receiver.start();
    service = await Service.start();
    const tenant = await service.tenant();
    const destination = { type: 'https_webhook', url: receiver.url, environment: 'test' };
    const path = `/operator/v1/tenants/${tenant.id}/destinations`;
    (await service.operator.post(path, destination)).expect(201);
    for (let i = 0; i < SUBSCRIBERS; i += 1) {
      (await tenant.api.post('/v1/subscribers', { email: `${i}@example.com` })).expect(201);
    }
    await until('every event', () => receiver.eventIds.length >= SUBSCRIBERS);
    await service.stop();
    await service.run();
  });

  afterAll(async () => {
    await service.dispose();
    await receiver.close();
  });

  it(`comes to rest with at most ${RESIDENT_MIB_MAX} MiB and ${CPU_SHARE_MAX * 100} % of a core`, async () => {
    const windows: Usage[] = [];
    do windows.push(await measure(service));
    while (!isWithinLimits(windows.at(-1)) && windows.length < WINDOWS_MAX);
    expect({ windows, comesToRest: isWithinLimits(windows.at(-1)) }).toMatchObject({
      comesToRest: true,
    });
  });
});
