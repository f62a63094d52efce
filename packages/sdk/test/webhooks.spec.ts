import { WebhookVerificationError, Webhooks } from '../src/index';

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const OLDER = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD';
const EVENT = {
  id: 'evt_1',
  type: 'test.ping',
  schema_version: 'v1',
  created_at: '2026-03-10T12:00:00.000Z',
  data: { message: 'ping' },
};

describe('webhooks of the SDK', () => {
  const webhooks = new Webhooks(SECRET);

  it('accept what is signed, from the headers of Node and of fetch', async () => {
    const { body, headers } = await webhooks.sign(EVENT);
    const { event, delivery } = await webhooks.unwrap(body, headers);
    expect(event).toEqual(EVENT);
    expect(delivery).toMatchObject({ eventId: 'evt_1', attempt: 1, replay: null, redacted: false });
    const bytes = new TextEncoder().encode(body);
    await expect(webhooks.unwrap(bytes, new Headers(headers))).resolves.toMatchObject({ event });
  });

  it('accept either secret during a rotation', async () => {
    const signed = await webhooks.sign(EVENT, { secrets: [OLDER, SECRET] });
    await expect(webhooks.unwrap(signed.body, signed.headers)).resolves.toBeDefined();
    const old = await webhooks.sign(EVENT, { secrets: OLDER });
    await expect(webhooks.unwrap(old.body, old.headers)).rejects.toThrow(WebhookVerificationError);
    const both = new Webhooks([SECRET, OLDER]);
    await expect(both.unwrap(old.body, old.headers)).resolves.toBeDefined();
  });

  it.each([
    ['a changed body', (body: string) => body.replace('ping', 'pong'), {}],
    ['a wrong fresh signature', (body: string) => body, { 'webhook-signature': 'v1,AAAA' }],
    ['a signature of another length', (body: string) => body, { 'webhook-signature': 'v1,A' }],
    ['a wrong stable signature', (body: string) => body, { 'x-service-signature': 't=1,v1=00' }],
    ['another id', (body: string) => body, { 'webhook-id': 'evt_2' }],
    ['no signature', (body: string) => body, { 'webhook-signature': '' }],
  ])('refuse %s', async (_, change, headers) => {
    const signed = await webhooks.sign(EVENT);
    await expect(
      webhooks.unwrap(change(signed.body), { ...signed.headers, ...headers }),
    ).rejects.toThrow(WebhookVerificationError);
  });

  it('refuse an attempt of more than 300 seconds ago, unless stored ones are allowed', async () => {
    const now = new Date(Date.now() - 301_000);
    const { body, headers } = await webhooks.sign(EVENT, { now });
    await expect(webhooks.unwrap(body, headers)).rejects.toThrow('too old');
    const forever = { toleranceSeconds: Infinity };
    await expect(webhooks.unwrap(body, headers, forever)).resolves.toBeDefined();
  });

  it('need a secret', async () => {
    const { body, headers } = await webhooks.sign(EVENT);
    await expect(new Webhooks([]).unwrap(body, headers)).rejects.toThrow('webhookSecrets');
    expect(() => new Webhooks('')).toThrow(TypeError);
  });

  it.each([
    ['two in one text', `${SECRET},${OLDER}`],
    ['with a line break', `${SECRET}\n`],
    ['cut', SECRET.slice(0, -1)],
    ['without its beginning', SECRET.slice('whsec_'.length)],
  ])('refuse a malformed secret (%s) at once, and do not repeat it', async (_, malformed) => {
    const error = new TypeError('webhookSecrets[1] is malformed');
    expect(() => new Webhooks([SECRET, malformed])).toThrow(error);
    const { body, headers } = await webhooks.sign(EVENT);
    const secrets = [SECRET, malformed];
    await expect(webhooks.unwrap(body, headers, { secrets })).rejects.toThrow(error);
  });

  it('accept secrets of all lengths of base64', async () => {
    for (const length of [1, 2, 3, 32]) {
      const secret = `whsec_${Buffer.alloc(length, 255).toString('base64')}`;
      const { body, headers } = await new Webhooks(secret).sign(EVENT);
      await expect(new Webhooks(secret).unwrap(body, headers)).resolves.toBeDefined();
    }
  });

  it.each([[EVENT], [undefined], [null]])('ask for the raw body instead of %j', async (parsed) => {
    const { headers } = await webhooks.sign(EVENT);
    await expect(webhooks.unwrap(parsed as never, headers)).rejects.toThrow(
      new TypeError('pass the raw body (text or bytes)'),
    );
  });

  it.each([
    ['headers', { 'webhook-signature': '' }],
    ['timestamp', { 'webhook-timestamp': '1' }],
    ['signature', { 'webhook-signature': 'v1,AAAA' }],
    ['signature', { 'x-service-signature': 't=1,v1=00' }],
  ])('give %s as the reason of a refusal', async (reason, changes) => {
    const { body, headers } = await webhooks.sign(EVENT);
    await expect(webhooks.unwrap(body, { ...headers, ...changes })).rejects.toMatchObject({
      name: 'WebhookVerificationError',
      reason,
    });
  });

  it('accept a request without X-Service-Signature', async () => {
    const { body, headers } = await webhooks.sign(EVENT);
    const { 'x-service-signature': _, ...others } = headers;
    await expect(webhooks.unwrap(body, others)).resolves.toBeDefined();
  });
});
