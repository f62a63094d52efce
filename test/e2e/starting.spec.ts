import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { RunningService, type SharedService, type TestTenant } from '../support/service';

const DIRECTORIES = join(__dirname, '../../src/directories');

describe('a service that starts again', () => {
  let service: SharedService;
  let tenant: TestTenant;

  beforeAll(async () => {
    service = await RunningService.shared();
    tenant = await service.tenant();
  });

  /** Returns all responses of a path from the first connection until the service is ready. */
  const collectAnswers = async (path: string, credential: string, ready: Promise<void>) => {
    const answers: [number, string | null][] = [];
    let over = false;
    void ready.finally(() => (over = true));
    while (!over) {
      const headers = { authorization: `Bearer ${credential}` };
      const answer = await fetch(`${service.url}${path}`, { headers }).catch(() => null);
      if (answer !== null) answers.push([answer.status, answer.headers.get('retry-after')]);
    }
    return answers;
  };

  it('answers no 404 before its directories are read', async () => {
    const headers = { 'content-type': 'application/x-ndjson' };
    const { body } = await tenant.api.send('POST', '/v1/imports', { body: '{}', headers });
    const https = { type: 'https_webhook', url: 'http://127.0.0.1:9', event_types: ['ticket.*'] };
    const destination = (await tenant.api.post('/v1/destinations', https)).created;
    const cohort = (await tenant.api.post('/v1/cohorts', { name: 'All', definition: {} })).created;
    const own = [
      `/v1/imports/${String(body['id'])}`,
      `/v1/destinations/${String(destination['id'])}`,
      `/v1/cohorts/${String(cohort['id'])}`,
    ];
    const { operatorToken } = service;
    await service.kill();
    const ready = service.run();
    const told = await Promise.all([
      ...own.map((path) => collectAnswers(path, tenant.key, ready)),
      collectAnswers(`/operator/v1/tenants/${tenant.id}`, operatorToken, ready),
    ]);
    await ready;
    const other = told.flat().filter(([status]) => status !== 200);
    expect(other.every(([status, retryAfter]) => status === 503 && retryAfter === '1')).toBe(true);
    expect(other.length).toBeGreaterThan(0);
  });

  it('is not ready before its directories are read', async () => {
    const ready = (await (await fetch(`${service.url}/health/ready`)).json()) as { checks: object };
    const directories = readdirSync(DIRECTORIES)
      .filter((file) => file.endsWith('.directory.ts'))
      .map((file) => `${file.replace('.directory.ts', '').replaceAll('-', '_')}s`);
    expect(directories).toContain('imports');
    expect(Object.keys(ready.checks)).toEqual(expect.arrayContaining(directories));
  });
});
