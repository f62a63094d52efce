import { RunningService, type TestTenant } from '../support/service';

describe('tickets', () => {
  let service: RunningService;
  let tenant: TestTenant;
  let subscriber: string;

  beforeAll(async () => {
    service = await RunningService.shared();
    tenant = await service.tenant();
    const created = await tenant.api.post('/v1/subscribers', { email: 'ada@example.com' });
    subscriber = created.created['id'] as string;
  });

  const submit = async (fields: Record<string, unknown> = {}): Promise<string> =>
    (await tenant.api.post('/v1/tickets', { subscriber_id: subscriber, topic: 'other', ...fields }))
      .created['id'] as string;

  it('can be resolved, reopened, and closed for good', async () => {
    const path = `/v1/tickets/${await submit({ subject: 'Hm' })}`;
    const resolved = (await tenant.api.post(`${path}/resolve`, { resolution_note: 'Refunded' })).ok;
    expect(resolved).toMatchObject({ status: 'resolved', resolution_note: 'Refunded' });
    expect(resolved['resolved_at']).not.toBeNull();
    expect((await tenant.api.post(`${path}/resolve`)).ok).toEqual(resolved);
    const reopened = (await tenant.api.post(`${path}/reopen`)).ok;
    expect(reopened).toMatchObject({
      status: 'open',
      resolved_at: null,
      resolution_note: 'Refunded',
    });
    const closed = (await tenant.api.post(`${path}/close`)).ok;
    expect(closed).toMatchObject({ status: 'closed', subject: 'Hm' });
    expect((await tenant.api.get(path)).ok).toEqual(closed);
    for (const action of ['resolve', 'reopen', 'close']) {
      const refused = await tenant.api.post(`${path}/${action}`);
      expect(refused.refusal.slice(0, 2)).toEqual([409, 'ticket_closed']);
    }
    expect((await tenant.api.patch(path, { priority: 'high' })).refusal[1]).toBe('ticket_closed');
    const types = (await tenant.api.get('/v1/events?event_types=ticket.*&limit=4')).data;
    expect(types.map(({ type }) => type)).toEqual([
      'ticket.closed',
      'ticket.reopened',
      'ticket.resolved',
      'ticket.submitted',
    ]);
    expect(types[1]).toMatchObject({ data: { previous: { status: 'resolved' } } });
  });

  it('can change topic, subject and priority', async () => {
    const path = `/v1/tickets/${await submit({ subject: 'Old' })}`;
    const answer = await tenant.api.patch(path, { subject: 'New', topic: 'cancel' });
    expect(answer.ok).toMatchObject({ subject: 'New', topic: 'cancel', priority: 'normal' });
    expect((await tenant.api.get(path)).ok).toEqual(answer.body);
    const [event] = (await tenant.api.get('/v1/events?event_types=ticket.updated&limit=1')).data;
    expect(event).toMatchObject({ data: { previous: { subject: 'Old', topic: 'other' } } });
  });

  it('can have follow-ups of the same subscriber', async () => {
    const first = await submit();
    expect(
      (await tenant.api.post('/v1/tickets', buildFollowUp(first))).refusal.slice(0, 2),
    ).toEqual([409, 'invalid_state_transition']);
    await tenant.api.post(`/v1/tickets/${first}/close`);
    const followUp = (await tenant.api.post('/v1/tickets', buildFollowUp(first))).created;
    expect(followUp).toMatchObject({ follow_up_of: first, status: 'open' });
    const foreign = await tenant.api.post('/v1/tickets', buildFollowUp('tkt_nope'));
    expect(foreign.refusal).toEqual([404, 'resource_not_found', 'follow_up_of']);
  });

  const buildFollowUp = (follow_up_of: string) => ({
    subscriber_id: subscriber,
    topic: 'other',
    source: 'email_reply',
    follow_up_of,
  });

  it('are listed by every filter', async () => {
    const high = await submit({ priority: 'high', topic: 'cancel', source: 'billing_portal' });
    for (const filter of [
      'priority=high',
      'topic=cancel&priority=high',
      'source=billing_portal',
      `subscriber_id=${subscriber}&priority=high`,
      'status=open&priority=high',
    ]) {
      const { data } = await tenant.api.get(`/v1/tickets?${filter}`);
      expect(data.map(({ id }) => id)).toEqual([high]);
    }
  });

  it('have the version of their subscriber', async () => {
    const id = await submit();
    const read = await tenant.api.get(`/v1/tickets/${id}`);
    const etag = read.headers.get('etag')!;
    const unchanged = await tenant.api.get(`/v1/tickets/${id}`, {
      'if-none-match': `"x", ${etag}`,
    });
    expect([unchanged.status, unchanged.headers.get('etag')]).toEqual([304, etag]);
    await tenant.api.patch(`/v1/tickets/${id}`, { priority: 'high' }, { 'if-match': etag });
    (await tenant.api.get(`/v1/tickets/${id}`, { 'if-none-match': etag })).expect(200);
    const late = await tenant.api.post(`/v1/tickets/${id}/close`, undefined, { 'if-match': etag });
    expect(late.refusal[1]).toBe('version_conflict');
  });
});
