import { databases } from '../support/databases';
import { type Received, verify } from '../support/receiver';
import { readCounts, ReplayStage, getToday } from '../support/replay-stage';
import { until } from '../support/until';

type Json = Record<string, unknown>;

describe.each(databases)('replay to destinations that change, on $name SQL', (database) => {
  let stage: ReplayStage;

  beforeAll(async () => {
    stage = await ReplayStage.start(database);
  }, 120_000);

  afterAll(() => stage.dispose());

  const change = async (id: string, body: Json): Promise<void> => {
    (await stage.tenant.api.patch(`/v1/destinations/${id}`, body)).expect(200);
  };

  const replayAll = async (id: string): Promise<Json> => {
    const body = { destination_id: id, dedupe_strategy: 'force_redeliver' };
    return stage.waitForEnd((await stage.request(body)).replay_id);
  };

  it('sends the original signature beside the current one after a rotation', async () => {
    const { receiver, destination } = stage.live;
    const originals = groupByEvent(receiver.received);
    const before = receiver.received.length;
    const path = `/v1/destinations/${destination.id}/rotate-secret`;
    const { signing_secret } = (await stage.tenant.api.post(path)).ok;
    expect((await replayAll(destination.id))['status']).toBe('completed');
    const again = receiver.received.slice(before);
    expect(again).toHaveLength(stage.events.length);
    for (const delivery of again) {
      const original = originals.get(delivery.event.id)!;
      const [time, ...signatures] = readSignature(delivery).split(',');
      const [originalTime, originalSignature] = readSignature(original).split(',');
      expect(delivery.body).toBe(original.body);
      expect(time).toBe(originalTime);
      expect(signatures).toHaveLength(2);
      expect(signatures).toContain(originalSignature);
      verify(delivery, destination.signing_secret);
      verify(delivery, signing_secret as string);
      expect(delivery.headers).not.toHaveProperty('x-service-redacted');
    }
  });

  it('shows no more than the destination may see now, and reports it', async () => {
    const { receiver, destination } = stage.live;
    const originals = groupByEvent(receiver.received);
    const before = receiver.received.length;
    await change(destination.id, { pii_mode: 'hashed_only' });
    await replayAll(destination.id);
    const again = receiver.received.slice(before);
    expect(again).toHaveLength(stage.events.length);
    for (const delivery of again) {
      expect(delivery.headers['x-service-redacted']).toBe('true');
      expect(delivery.body).not.toContain('@example.com');
      const [, original] = readSignature(originals.get(delivery.event.id)!).split(',');
      expect(readSignature(delivery)).not.toContain(original);
      verify(delivery, destination.signing_secret);
    }
    await change(destination.id, { pii_mode: 'full' });
  });

  it('refuses destinations that are disabled, deleted or e-mail', async () => {
    const { destination: disabled } = await stage.newDestination();
    await change(disabled.id, { status: 'disabled' });
    const { destination: deleted } = await stage.newDestination();
    (await stage.tenant.api.delete(`/v1/destinations/${deleted.id}`)).expect(200);
    const mail = (
      await stage.tenant.api.post('/v1/destinations', {
        type: 'email_fallback',
        email: 'support@example.com',
        reply_to_subscriber: false,
      })
    ).created;
    for (const [destination_id, status, code] of [
      [disabled.id, 409, 'destination_disabled'],
      [deleted.id, 409, 'destination_deleted'],
      [mail['id'], 422, 'destination_not_replayable'],
    ] as const) {
      const [got, gotCode] = (await stage.post({ destination_id, ...getToday() })).refusal;
      expect([got, gotCode]).toEqual([status, code]);
    }
  });

  it('fails if the destination is disabled or deleted during the replay', async () => {
    for (const [stop, reason] of [
      [(id: string) => change(id, { status: 'disabled' }), 'destination_disabled'],
      [
        async (id: string) => {
          (await stage.tenant.api.delete(`/v1/destinations/${id}`)).expect(200);
        },
        'destination_deleted',
      ],
      [
        async (id: string) => {
          (await stage.tenant.api.delete(`/v1/destinations/${id}?force=true`)).expect(204);
        },
        'destination_deleted',
      ],
    ] as const) {
      const { receiver, destination } = await stage.newDestination({ max_in_flight: 1 });
      receiver.answer((_, response) => {
        setTimeout(() => response.end(), 100);
      });
      const { replay_id } = await stage.request({ destination_id: destination.id });
      await until('a delivery', () => receiver.received.length > 0);
      await stop(destination.id);
      const end = await stage.waitForEnd(replay_id);
      expect(end).toMatchObject({ status: 'failed', failure_reason: reason });
      expect(end['events_delivered']).toBe(receiver.received.length);
      expect(end['events_pending']).toBeGreaterThan(0);
    }
  });

  it('fails and disables the destination at a 410', async () => {
    const { receiver, destination } = await stage.newDestination({ max_in_flight: 1 });
    receiver.answerStatus(410);
    const { replay_id } = await stage.request({ destination_id: destination.id });
    const end = await stage.waitForEnd(replay_id);
    expect(end).toMatchObject({ status: 'failed', failure_reason: 'destination_gone' });
    expect(readCounts(end)).toEqual([stage.events.length, 0, 1, stage.events.length - 1, 0]);
    const known = (await stage.tenant.api.get(`/v1/destinations/${destination.id}`)).ok;
    expect(known).toMatchObject({ status: 'disabled', disabled_reason: 'gone' });
  });

  it('is shown in the delivery log and in the operational events', async () => {
    const { destination } = await stage.newDestination();
    const { replay_id } = await stage.request({ destination_id: destination.id });
    await stage.waitForEnd(replay_id);
    const path = `/v1/destinations/${destination.id}/deliveries?limit=100`;
    const deliveries = await until('the delivery log', async () => {
      const { data } = await stage.tenant.api.get(path);
      return data.length === stage.events.length ? data : null;
    });
    for (const delivery of deliveries) {
      expect(delivery).toMatchObject({ status: 'delivered', last_status_code: 200, replay_id });
    }
    const notices = (
      await stage.tenant.api.get('/v1/operational_events?type=replay.completed&limit=100')
    ).data;
    expect(notices.map(({ data }) => (data as Json)['replay_id'])).toContain(replay_id);
  });
});

const groupByEvent = (received: readonly Received[]): Map<string, Received> =>
  new Map(received.map((each) => [each.event.id, each]));

const readSignature = ({ headers }: Received): string => headers['x-service-signature'] as string;
