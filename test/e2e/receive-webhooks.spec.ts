import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { Service, type TestTenant } from '../support/service';
import { until } from '../support/until';

const EXAMPLES = join(__dirname, '../../docs/examples');

/** A documented example in a process of its own, as a reader would start it. */
class Example {
  output = '';

  private constructor(
    private readonly child: ChildProcess,
    readonly port: number,
  ) {}

  static async start(file: string, secret: string, port = 0): Promise<Example> {
    const env = { PATH: process.env['PATH'], SIGNING_SECRET: secret, PORT: String(port) };
    const child = spawn(process.execPath, [join(EXAMPLES, file)], { env });
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    const found = await until('the example to listen', () => /:(\d+)\n/.exec(output)?.[1]);
    const example = new Example(child, Number(found));
    child.stdout.on('data', (chunk: Buffer) => (example.output += chunk.toString()));
    return example;
  }

  stop(): void {
    this.child.kill('SIGKILL');
  }
}

describe.each(['receiver-plain.mjs', 'receiver-standardwebhooks.mjs'])(
  'docs/examples/%s',
  (file) => {
    let service: Service;
    let tenant: TestTenant;
    const running: Example[] = [];

    beforeAll(async () => {
      service = await Service.start();
      tenant = await service.tenant();
    });

    afterAll(async () => {
      for (const each of running) each.stop();
      await service.dispose();
    });

    it('accepts what is signed with its secret, before and after a rotation, and nothing else', async () => {
      const { api } = tenant;
      const stranger = await Example.start(file, `whsec_${Buffer.alloc(32).toString('base64')}`);
      running.push(stranger);
      const url = `http://127.0.0.1:${stranger.port}/`;
      const created = (await api.post('/v1/destinations', { type: 'https_webhook', url })).created;
      const path = `/v1/destinations/${created['id'] as string}`;
      expect((await api.post(`${path}/test`)).ok['status_code']).toBe(401);

      const first = await Example.start(file, created['signing_secret'] as string);
      running.push(first);
      (await api.patch(path, { url: `http://127.0.0.1:${first.port}/` })).expect(200);
      expect((await api.post(`${path}/test`)).ok['status_code']).toBe(204);
      const rotated = (await api.post(`${path}/rotate-secret`)).ok;
      expect((await api.post(`${path}/test`)).ok['status_code']).toBe(204);
      const { id } = (await api.post('/v1/subscribers', { email: 'ada@example.com' })).created;
      await until('a live delivery', () => first.output.includes('subscriber.created'));

      const second = await Example.start(file, rotated['signing_secret'] as string);
      running.push(second);
      (await api.patch(path, { url: `http://127.0.0.1:${second.port}/` })).expect(200);
      (await api.post('/v1/tickets', { subscriber_id: id, topic: 'other' })).expect(201);
      await until('a delivery after', () => second.output.includes('ticket.submitted'));
    });

    it('answers 401 to signatures of any length and bytes, and goes on', async () => {
      const example = await Example.start(file, `whsec_${Buffer.alloc(32).toString('base64')}`);
      running.push(example);
      const now = String(Math.floor(Date.now() / 1000));
      for (const signature of [
        '',
        'v1,',
        'v1,x',
        `v1,${'\u00e9'.repeat(44)}`,
        'é'.repeat(47),
        'x y z',
      ]) {
        const answer = await fetch(`http://127.0.0.1:${example.port}/`, {
          method: 'POST',
          headers: {
            'webhook-id': 'msg_1',
            'webhook-timestamp': now,
            'webhook-signature': signature,
            'x-service-signature': `t=${now},v1=${signature}`,
            'x-service-event-id': 'evt_1',
          },
          body: '{}',
        });
        expect(answer.status).toBe(401);
      }
    });

    it.each(['', 'whsec_', 'secret'])('does not start with the secret "%s"', async (secret) => {
      const env = { PATH: process.env['PATH'], SIGNING_SECRET: secret, PORT: '0' };
      const child = spawn(process.execPath, [join(EXAMPLES, file)], { env });
      const [code] = (await once(child, 'exit')) as [number];
      expect(code).toBe(1);
    });
  },
);
