import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { type RawAnswer, sendRaw } from '../support/raw-request';
import { listNodeFlags, RunningService, Service, type TestTenant } from '../support/service';

const ROOT = join(__dirname, '../..');
const LIMIT = 15;

describe('wrong credentials', () => {
  let service: Service;
  let tenant: TestTenant;

  beforeAll(async () => {
    service = await Service.start({ env: { RATE_LIMIT_FAILED_CREDENTIALS: String(LIMIT) } });
    tenant = await service.tenant();
  });

  afterAll(() => service.dispose());

  const call = (target: string, credential: string): Promise<RawAnswer> =>
    sendRaw(service.url, { method: 'GET', target, credential });

  const sendGuesses = async (
    count: number,
    target: string,
    credentialAt: (at: number) => string,
  ): Promise<(string | null)[]> => {
    const codes = [];
    for (let at = 0; at < count; at += 1) codes.push((await call(target, credentialAt(at))).code);
    return codes;
  };

  it('do not count as guesses if they are credentials of the other kind', async () => {
    const [ofTenant, ofOperator] = await Promise.all([
      sendGuesses(LIMIT * 2, '/operator/v1/tenants', () => tenant.key),
      sendGuesses(LIMIT * 2, '/v1/events', () => service.operatorToken),
    ]);
    expect(new Set([...ofTenant, ...ofOperator])).toEqual(new Set(['api_key_invalid']));
  });

  it('are answered with 429 and Retry-After if many name one key, whose right secret still works', async () => {
    const createWrongKey = (): string => `${tenant.key.slice(0, -4)}0000`;
    const codes = await sendGuesses(12, '/v1/events', createWrongKey);
    expect(codes.slice(0, 10)).toEqual(Array(10).fill('api_key_invalid'));
    expect(codes.at(-1)).toBe('rate_limited');
    const refused = await call('/v1/events', createWrongKey());
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect(refused.headers['x-service-rate-limited-reason']).toBe('failed-credentials');
    expect((await call('/v1/events', tenant.key)).status).toBe(200);
  });

  it('are answered with 429 if many come from one address, whatever key they name', async () => {
    const codes = await sendGuesses(
      LIMIT + 2,
      '/operator/v1/tenants',
      (at) => `guess-number-${at}`,
    );
    expect(codes.at(-1)).toBe('rate_limited');
    expect((await call('/v1/events', 'rk_live_nothing')).code).toBe('rate_limited');
    expect((await call('/v1/events', tenant.key)).status).toBe(200);
    expect((await call('/operator/v1/tenants', service.operatorToken)).status).toBe(200);
  });

  it.each([
    'a',
    'secret',
    'short-token-of-19-c',
    'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa',
    'abababababababababababab',
  ])('cannot match a weak operator token: %s stops the start', async (token) => {
    const env = {
      PATH: process.env['PATH'],
      OPERATOR_TOKEN: token,
      DATA_DIR: '/nonexistent/ses',
    };
    const child = spawn(process.execPath, [...listNodeFlags(), 'dist/main.js'], { cwd: ROOT, env });
    let said = '';
    child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
    const [code] = (await once(child, 'exit')) as [number];
    expect([code, said.includes('OPERATOR_TOKEN can be guessed')]).toEqual([78, true]);
    expect(said).not.toContain(`${token}\n`);
  });
});

describe('headers of a response', () => {
  let service: RunningService;
  let tenant: TestTenant;

  beforeAll(async () => {
    service = await RunningService.shared();
    tenant = await service.tenant();
  });

  it.each(['/v1/subscribers', '/v1/nothing', '/v1/%65vents', '/docs', '/docs/errors', '/metrics'])(
    'restrict browsers and caches: %s',
    async (target) => {
      const answer = await sendRaw(service.url, { method: 'GET', target, credential: tenant.key });
      expect(answer.headers).toMatchObject({
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'content-security-policy': expect.stringContaining("default-src 'none'") as string,
      });
      if (!target.startsWith('/docs')) expect(answer.headers['cache-control']).toBe('no-store');
    },
  );

  it.each(['/docs', '/docs/errors'])('allow no inline script in the page %s', async (page) => {
    const { body, headers } = await sendRaw(service.url, { method: 'GET', target: page });
    const policy = String(headers['content-security-policy']);
    expect(/script-src ([^;]*)/.exec(policy)?.[1]).toBe("'self'");
    expect(body).not.toMatch(/<script(?![^>]*\ssrc=)|\son\w+=|javascript:/i);
  });
});
