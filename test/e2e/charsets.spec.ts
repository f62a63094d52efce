import { RunningService, type TestTenant } from '../support/service';

describe('a JSON body', () => {
  let service: RunningService;
  let tenant: TestTenant;

  beforeAll(async () => {
    service = await RunningService.shared();
    tenant = await service.tenant();
  });

  it('is refused in another charset than UTF-8', async () => {
    const send = (path: string, charset: string, encoding: BufferEncoding): Promise<Response> =>
      fetch(`${service.url}${path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${tenant.key}`, 'content-type': charset },
        body: Buffer.from('{"email":"ada@example.com","metadata":{"city":"Zürich"}}', encoding),
      });
    for (const charset of ['latin1', '"ISO-8859-1"', 'utf-16']) {
      const refused = await send(
        '/v1/subscribers',
        `application/json; charset=${charset}`,
        'latin1',
      );
      const { error } = (await refused.json()) as { error: Record<string, unknown> };
      expect([refused.status, error['param'], error['message']]).toEqual([
        415,
        'Content-Type',
        'Send the body in UTF-8: the Content-Type names another charset, which JSON does not have.',
      ]);
    }
    const lines = 'application/x-ndjson; charset=latin1';
    expect((await send('/v1/imports', lines, 'latin1')).status).toBe(415);
    for (const charset of ['utf-8', 'UTF8', '"utf-8"']) {
      const taken = await send('/v1/subscribers', `application/json;charset=${charset}`, 'utf8');
      expect(((await taken.json()) as { metadata: object }).metadata).toEqual({ city: 'Zürich' });
    }
  });
});
