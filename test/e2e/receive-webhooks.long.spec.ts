import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { signStandard } from '../../src/delivery/webhook/sign';
import {
  EXAMPLES,
  installedExamples,
  missingLanguages,
  RunningExample,
} from '../support/receiver-examples';
import { RunningService, type TestTenant } from '../support/service';
import { until } from '../support/until';

const START_MS = 300_000;
const STRANGER = `whsec_${Buffer.alloc(32).toString('base64')}`;

if (missingLanguages.length > 0)
  process.stderr.write(
    `receive-webhooks: left out, because they are not installed: ${missingLanguages.join(', ')}\n`,
  );

const getNowSeconds = (): number => Math.floor(Date.now() / 1_000);

/** Builds a request as the service sends it, except for the changes of a case. */
const buildSignedRequest = (
  secret: string,
  {
    id = 'evt_1',
    timestamp = getNowSeconds(),
    body = '{"id":"evt_1","type":"payment.failed","data":{"note":"Grüße 🎉"}}',
  } = {},
): { headers: Record<string, string>; body: string } => ({
  body,
  headers: {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signStandard({ eventId: id, body }, { secrets: [secret], timestamp }),
  },
});

describe("the receiver's guide", () => {
  it('shows code that is in the examples', () => {
    const guide = readFileSync(join(EXAMPLES, '../receive-webhooks.md'), 'utf8');
    const fileOf: Readonly<Record<string, string>> = {
      js: 'receiver.mjs',
      python: 'receiver.py',
      go: 'receiver.go',
      php: 'receiver.php',
      ruby: 'receiver.rb',
    };
    const shown = [...guide.matchAll(/```(js|python|go|php|ruby)\n(.*?)```/gs)];
    expect(shown.map(([, language]) => language)).toEqual(Object.keys(fileOf));
    for (const [, language = '', code = ''] of shown) {
      expect(readFileSync(join(EXAMPLES, fileOf[language]!), 'utf8')).toContain(code);
    }
  });
});

describe('the example receivers', () => {
  let service: RunningService;

  beforeAll(async () => {
    service = await RunningService.shared();
  });

  describe.each(installedExamples)('$file', (example) => {
    let tenant: TestTenant;
    const running: RunningExample[] = [];

    const start = async (secret: string): Promise<RunningExample> => {
      const started = await RunningExample.start(example, secret);
      running.push(started);
      return started;
    };

    const send = async (
      { url }: RunningExample,
      request: { headers: Record<string, string>; body: string },
    ): Promise<number> => (await fetch(url, { method: 'POST', ...request })).status;

    beforeAll(async () => {
      tenant = await service.tenant();
      // The first start of Go compiles the example.
      await start(STRANGER);
    }, START_MS);

    afterAll(() => {
      for (const each of running) each.stop();
    });

    it('accepts deliveries of the service with either secret during a rotation', async () => {
      const { api } = tenant;
      const stranger = running[0]!;
      const webhook = { type: 'https_webhook', url: stranger.url };
      const created = (await api.post('/v1/destinations', webhook)).created;
      const path = `/v1/destinations/${created['id'] as string}`;
      const sendTest = async (): Promise<unknown> =>
        (await api.post(`${path}/test`)).ok['status_code'];
      expect(await sendTest()).toBe(401);

      const oldSecret = created['signing_secret'] as string;
      const withOld = await start(oldSecret);
      (await api.patch(path, { url: withOld.url })).expect(200);
      expect(await sendTest()).toBe(204);
      const newSecret = (await api.post(`${path}/rotate-secret`)).ok['signing_secret'] as string;
      expect(await sendTest()).toBe(204);
      const { id } = (await api.post('/v1/subscribers', { email: 'ada@example.com' })).created;
      await until('a live delivery', () => withOld.output.includes('subscriber.created'));

      const withNew = await start(newSecret);
      (await api.patch(path, { url: withNew.url })).expect(200);
      expect(await sendTest()).toBe(204);
      (await api.post('/v1/tickets', { subscriber_id: id, topic: 'other' })).expect(201);
      await until('a live delivery', () => withNew.output.includes('ticket.submitted'));

      const withBoth = await start(`${newSecret},${oldSecret}`);
      for (const secret of [newSecret, oldSecret])
        expect(await send(withBoth, buildSignedRequest(secret))).toBe(204);
    });

    it('refuses forged, changed and old deliveries, and continues', async () => {
      const secret = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;
      const receiver = await start(secret);
      const genuine = buildSignedRequest(secret);
      expect(await send(receiver, genuine)).toBe(204);

      expect(await send(receiver, buildSignedRequest(STRANGER))).toBe(401);
      await until('the refusal', () => receiver.output.includes('refused: wrong signature'));
      expect(await send(receiver, { ...genuine, body: genuine.body.replace('1', '2') })).toBe(401);
      const headers = { ...genuine.headers, 'webhook-id': 'evt_2' };
      expect(await send(receiver, { ...genuine, headers })).toBe(401);

      const refuse = async (
        request: ReturnType<typeof buildSignedRequest>,
        line: string,
      ): Promise<void> => {
        expect(await send(receiver, request)).toBe(401);
        await until(line, () => receiver.output.includes(`refused: ${line}`));
      };
      const atOffset = (seconds: number) =>
        buildSignedRequest(secret, { timestamp: getNowSeconds() + seconds });
      await refuse(atOffset(-600), 'the request is older than 5 minutes.');
      await refuse(atOffset(600), 'the request is more than 5 minutes in the future.');
      const { 'webhook-signature': _signature, ...unsigned } = genuine.headers;
      await refuse({ ...genuine, headers: unsigned }, 'the header webhook-id,');

      expect(await send(receiver, genuine)).toBe(204);
      if (example.file !== 'receiver-standardwebhooks.mjs')
        await until('the repeat', () => receiver.output.includes('payment.failed evt_1 again'));
    });

    it('answers 401 to malformed signatures and times, and continues', async () => {
      const secret = `whsec_${Buffer.alloc(24, 9).toString('base64')}`;
      const receiver = await start(secret);
      const genuine = buildSignedRequest(secret);
      const right = genuine.headers['webhook-signature']!;
      const shapes = ['', 'v1,', 'v1,x', 'v1', right.slice(0, -1), `${right}x`, 'x y z', ' '];
      const signatures = [
        ...shapes,
        `v1,${'\u00e9'.repeat(44)}`,
        'é'.repeat(47),
        'v1,'.repeat(2000),
      ];
      for (const signature of signatures) {
        const headers = { ...genuine.headers, 'webhook-signature': signature };
        expect([signature, await send(receiver, { ...genuine, headers })]).toEqual([
          signature,
          401,
        ]);
      }
      for (const time of ['', 'now', '-1', '1e9', 'NaN', '9'.repeat(400), 'é']) {
        const headers = { ...genuine.headers, 'webhook-timestamp': time };
        expect([time, await send(receiver, { ...genuine, headers })]).toEqual([time, 401]);
      }
      expect(await send(receiver, { headers: {}, body: '{' })).toBe(401);
      const headers = { ...genuine.headers, 'webhook-signature': `v1,x v2,y ${right}` };
      expect(await send(receiver, { ...genuine, headers })).toBe(204);
    });

    it('does not start with an invalid secret', async () => {
      const secrets = ['', 'whsec_', 'secret', ','];
      const codes = await Promise.all(
        secrets.map((secret) => RunningExample.runRefusedStart(example, secret)),
      );
      expect(codes).toEqual([1, 1, 1, 1]);
    });
  });
});
