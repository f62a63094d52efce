import { RunningService } from '../support/service';

const TICKETS = 130;
const PAGE = 100;

describe('the erasure of a subscriber with more open tickets than one append can hold', () => {
  it('closes all of them, if the subscriber has not changed since it was read', async () => {
    const service = await RunningService.shared();
    const { api } = await service.tenant();
    const { id } = (await api.post('/v1/subscribers', { email: 'ada@example.com' })).created;
    const ticket = { subscriber_id: id, topic: 'other', body: 'x'.repeat(20_000) };
    for (let i = 0; i < TICKETS; i += 1) (await api.post('/v1/tickets', ticket)).expect(201);
    const path = `/v1/subscribers/${String(id)}`;
    const version = (await api.get(path)).headers.get('etag') ?? '';

    const outdated = await api.delete(path, { 'if-match': '"1"' });
    expect(outdated.refusal.slice(0, 2)).toEqual([409, 'version_conflict']);
    const open = `/v1/tickets?subscriber_id=${String(id)}&status=open&limit=${PAGE}`;
    expect((await api.get(open)).data).toHaveLength(PAGE);

    (await api.delete(path, { 'if-match': version })).expect(200);
    expect((await api.get(open)).data).toEqual([]);
    const closed = await api.get(open.replace('status=open', 'status=closed'));
    expect(closed.ok).toMatchObject({ has_more: true, data: { length: PAGE } });
    const [last] = (await api.get(`/v1/events?subscriber_id=${String(id)}&limit=1`)).data;
    expect(last).toMatchObject({ type: 'subscriber.erased' });
  });
});
