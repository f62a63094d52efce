import { Receiver } from '../support/receiver';
import { RunningService, type SharedService } from '../support/service';
import { until } from '../support/until';

type Json = Record<string, unknown>;

describe('a destination that is down', () => {
  const EVENTS = 60;
  let service: SharedService;
  let receiver: Receiver;

  beforeAll(async () => {
    service = await RunningService.shared();
    receiver = await Receiver.start();
    receiver.answerStatus(500);
  });

  afterAll(() => receiver.close());

  it('shows all events that wait, and none of them as failed by a replay', async () => {
    const { api } = await service.tenant();
    const destination = { type: 'https_webhook', url: receiver.url };
    const { id } = (await api.post('/v1/destinations', destination)).created;
    for (let i = 0; i < EVENTS; i += 1)
      await api.post('/v1/subscribers', { email: `${i}@example.com` });
    const readHealth = async (): Promise<Json> =>
      (await api.get(`/v1/destinations/health?destination_id=${String(id)}`)).data[0]!;
    await until('only probes are sent', async () => {
      const { data } = await api.get('/v1/deliveries?status=pending&limit=100');
      return data.some(({ waiting_for }) => waiting_for === 'destination');
    });
    expect(await readHealth()).toMatchObject({ health: 'failing', waiting: EVENTS });

    const window = {
      from: new Date(Date.now() - 3_600_000).toISOString(),
      to: new Date().toISOString(),
    };
    const replay = (await api.post('/v1/replay', { destination_id: id, ...window })).expect(202);
    await until('the replay has attempted all events', async () => {
      const { data } = await api.get('/v1/deliveries?limit=100');
      return data.length === EVENTS && data.every((each) => each['attempt_count'] !== 0);
    });
    (await api.delete(`/v1/replay/${String(replay['replay_id'])}`)).expect(200);
    expect((await api.get('/v1/deliveries?status=failed')).data).toEqual([]);
    expect((await api.get('/v1/deliveries?status=pending&limit=100')).data).toHaveLength(EVENTS);
    expect(await readHealth()).toMatchObject({
      waiting: EVENTS,
      last_24_hours: { pending: EVENTS, failed: 0 },
    });

    receiver.answerStatus(200);
    (await api.patch(`/v1/destinations/${String(id)}`, { status: 'disabled' })).expect(200);
    (await api.patch(`/v1/destinations/${String(id)}`, { status: 'active' })).expect(200);
    await until('everything is delivered', async () => (await readHealth())['waiting'] === 0);
    expect((await api.get('/v1/deliveries?status=delivered&limit=100')).data).toHaveLength(EVENTS);
  });
});
