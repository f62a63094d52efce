import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { Answer } from '../support/api';
import { runCli } from '../support/cli';
import { RunningService } from '../support/service';

type Respond = (request: IncomingMessage, response: ServerResponse) => void;

const listen = async (respond: Respond): Promise<{ server: Server; url: string }> => {
  const server = createServer(respond).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
};

describe('errors of the command line', () => {
  let service: RunningService;
  let tenant: string;
  let key: string;

  beforeAll(async () => {
    service = await RunningService.shared();
    ({ id: tenant } = await service.tenant());
    ({ key } = await service.createKey(tenant, 'test'));
  });

  it('name the option whose value is wrong, and end with exit code 2', async () => {
    const register = ['destination', 'create', tenant, '--environment'];
    const webhook = [...register, 'test', '--url', 'https://example.com/hooks'];
    const issue = ['key', 'create', tenant, '--environment', 'test', '--name', 'x'];
    const wrong: [string[], string][] = [
      [[...register, 'tset'], "'--environment <environment>' argument 'tset'"],
      [
        ['key', 'create', tenant, '--environment', 'dev', '--name', 'x'],
        'Allowed choices are live',
      ],
      [[...webhook, '--pii', 'all'], "'--pii <mode>' argument 'all'"],
      [[...webhook, '--events', 'payment.faild'], '--events has '],
      [[...webhook, '--privacy-mode', 'full'], 'Did you mean --pii?'],
      [['events', 'list', '--type', 'payment.failed'], 'Did you mean --events?'],
      [[...register, 'test', '--url', 'https://a b'], '--url must not contain white space'],
      [['listen', '--forward', 'abc:'], "'--forward <url>' argument 'abc:'"],
      [['listen', '--tenant', tenant, '--events', 'paymnt.*'], 'Did you mean payment.*?'],
      [
        ['events', 'list', '--events', 'payment.faild'],
        '--events has payment.faild, which is neither',
      ],
      [['deliveries', 'list', '--events', 'invoice.*'], '--events has '],
      [['deliveries', 'list', '--status', 'lost'], 'Allowed choices are pending, delivered'],
      [['metrics', 'get', 'mrr', '--window', 'x'], 'error: --window must be one of '],
      [['subscribers', 'list', '--limit', '0'], 'A whole number from 1'],
      [['rebuild', 'nope'], 'error: <projections>: There is no projection "nope"'],
      [['replay'], 'error: --destination is required.\n--from is required.\nAdd --help to see'],
      [['replay', '--rate', '0', '--from', '2026-10-01'], '--rate must be a number from 0.1'],
      [['export', 'events', '--tenant', tenant, '--format', 'xml'], 'choices are csv, ndjson'],
      [['export', 'events', '--tenant', tenant, '--environment', 'x'], 'choices are live, test'],
      [[...issue, '--allowed-ips', 'here'], '--allowed-ips: item 1 must be an IPv4 or IPv6'],
      [[...issue, '--scopes', 'events:read,,'], 'Names separated by single commas'],
      [['tenant', 'create', 'A', '--settings', '{"x":1}'], '--settings: settings.x is not a known'],
      [
        ['operator-token', 'create', '--name', 'a', '--expires-at', 'soon'],
        "'--expires-at <time>'",
      ],
      [[...register, 'test'], 'name the target with --url (a webhook) or with --email'],
      [[...webhook, '--email', 'ada@example.com'], 'cannot be used with option'],
      [['console', 'link', '--role', 'owner'], '--role: Name a tenant, or a role of operators.'],
      [['--service', 'localhost:3000', 'tenant', 'list'], 'must begin with http:// or https://'],
    ];
    const runs = await Promise.all(
      wrong.map(async ([args, message]) => {
        const { code, stderr } = await runCli(service, args, { API_KEY: key });
        return { args, code, message, stderr };
      }),
    );
    for (const { args, code, message, stderr } of runs) {
      expect({ args, code, stderr }).toEqual({
        args,
        code: 2,
        stderr: expect.stringContaining(message) as string,
      });
    }
  });

  it('list the values that the service has, and no others', async () => {
    const api = service.createApi(key);
    const destinations = `/operator/v1/tenants/${tenant}/destinations`;
    const webhook = { type: 'https_webhook', environment: 'test', url: 'https://example.com' };
    const refusals: [string[], Promise<Answer>][] = [
      [['deliveries', 'list', '--status', 'x'], api.get('/v1/deliveries?status=x')],
      [['subscribers', 'list', '--status', 'x'], api.get('/v1/subscribers?status=x')],
      [
        ['destination', 'create', tenant, '--environment', 'test', '--pii', 'x'],
        service.operator.post(destinations, { ...webhook, pii_mode: 'x' }),
      ],
      [
        ['destination', 'create', tenant, '--environment', 'test', '--ordering', 'x'],
        service.operator.post(destinations, { ...webhook, ordering: 'x' }),
      ],
      [
        ['export', 'x', '--tenant', tenant],
        service.operator.get(`/operator/v1/exports?view=x&environment=test&tenant_id=${tenant}`),
      ],
    ];
    for (const [args, refusal] of refusals) {
      const { error } = (await refusal).body as { error: { message: string } };
      const [, values] = /must be one of (.+)\.$/.exec(error.message) ?? [];
      const { code, stderr } = await runCli(service, args);
      expect([code, stderr]).toEqual([
        2,
        expect.stringContaining(`Allowed choices are ${String(values)}.\n`),
      ]);
    }
  });

  it('say where a wrong key or token comes from, and never show it', async () => {
    const list = ['events', 'list'];
    const wrong = [
      await runCli(service, list, { API_KEY: 'rk_test_wrong' }),
      await runCli(service, [...list, '--key', 'rk_test_wrong']),
      await runCli(service, ['tenant', 'list'], { OPERATOR_TOKEN: 'wrong' }),
      await runCli(service, list, { API_KEY: 'rk_test_…' }),
      await runCli(service, list, { API_KEY: ' ', DATA_DIR: '/nothere' }),
    ];
    expect(wrong.filter(({ stderr }) => stderr.includes('rk_test_'))).toEqual([]);
    expect(wrong.map(({ code, stderr }) => [code, stderr])).toEqual([
      [4, expect.stringMatching(/\(api_key_invalid\)\nThe token or key comes from API_KEY\.\n$/)],
      [4, expect.stringMatching(/\(api_key_invalid\)\nThe token or key comes from --key\.\n$/)],
      [4, expect.stringContaining('The token or key comes from OPERATOR_TOKEN.')],
      [4, 'The text from API_KEY is no token or key: copy it in one piece, as it was printed.\n'],
      [
        4,
        expect.stringMatching(/^No API key in \/nothere\/quickstart\.json,.* point DATA_DIR to it/),
      ],
    ]);
  });

  it('name the event type that was probably meant, and where all are listed', async () => {
    const { code, stderr } = await runCli(service, ['trigger', 'payment.faild', '--key', key]);
    expect([code, stderr]).toEqual([
      2,
      'There is no event type "payment.faild". Did you mean payment.failed? (parameter_invalid)\n' +
        `All types: ${service.url}/docs/events\nAdd --help to see the arguments and an example.\n`,
    ]);
  });

  it('name the command that was probably meant, or that there is none', async () => {
    const misspelt = await runCli(service, ['subscribers', 'lst', '--key', key]);
    expect([misspelt.code, misspelt.stderr]).toEqual([
      2,
      expect.stringContaining("error: unknown command 'lst'\n(Did you mean list?)"),
    ]);
    for (const group of ['subscribers', 'deliveries', 'tenant', 'events', 'destination']) {
      const get = await runCli(service, [group, 'get', 'x', '--key', key]);
      expect([get.code, get.stderr]).toEqual([
        2,
        expect.stringContaining("error: unknown command 'get'\n(Did you mean show?)"),
      ]);
    }
    const excess = await runCli(service, ['subscribers', 'zzzzzz', '--key', key]);
    expect(excess.stderr).toContain("too many arguments for 'list'");
    const help = await runCli(service, ['help', 'nope']);
    expect([help.code, help.stdout]).toEqual([2, '']);
    expect(help.stderr).toContain("error: unknown command 'nope'");
    expect((await runCli(service, ['help', 'trigger'])).stdout).toContain('Example:');
    const metric = await runCli(service, ['metrics', 'get', 'nope', '--key', key]);
    expect(metric.stderr).toContain('"metrics list" shows all metrics.');
  });

  it('name the option of an object that does not exist, with exit code 5', async () => {
    const args = ['export', 'subscribers', '--tenant', 'tnt_nothere'];
    expect(await runCli(service, args)).toEqual({
      code: 5,
      stdout: '',
      stderr: '--tenant: No such tenant. (resource_not_found)\n',
    });
  });

  it('show every fault that the service has found', async () => {
    const settings = '{"grace_days":-1,"alert_emails":["x"]}';
    const { stderr } = await runCli(service, ['tenant', 'set', tenant, settings]);
    expect(stderr).toContain('settings.grace_days must be');
    expect(stderr).toContain('each item of settings.alert_emails must be');
  });

  it('are JSON as the API has it with --json, with the same exit code', async () => {
    const readError = async (...args: string[]): Promise<unknown> => {
      const { code, stderr, stdout } = await runCli(service, [...args, '--json']);
      const { error } = JSON.parse(stderr) as { error: Record<string, unknown> };
      return { code, stdout, ...error };
    };
    expect(await readError('tenant', 'show', 'tnt_nothere')).toMatchObject({
      ...{ type: 'not_found_error', message: 'No such tenant.', param: 'tenantId' },
      ...{
        doc_url: '/docs/errors#resource_not_found',
        request_id: expect.stringMatching(/^req_/) as string,
      },
    });
    expect(await readError('key', 'create', tenant)).toEqual({
      ...{ code: 'usage', stdout: '', type: 'command_line_error', param: null },
      ...{ details: {}, errors: [], doc_url: null, request_id: null },
      message: "required option '--environment <environment>' not specified",
    });
    expect(
      await readError('events', 'list', '--from', '2027-01-01', '--to', '2026-01-01', '--key', key),
    ).toMatchObject({ code: 'usage', message: '--to must be after --from.' });
    expect(await readError('tenant')).toMatchObject({
      message: 'The name of a command is missing. --help lists the commands.',
    });
    const unknownType = await readError('trigger', 'nope', '--key', key);
    expect(unknownType).toMatchObject({ code: 'parameter_invalid', param: 'type' });
    expect(JSON.stringify(unknownType)).not.toContain('(parameter_invalid)');
    const codes = [
      (await runCli(service, ['tenant', 'show', 'tnt_nothere', '--json'])).code,
      (await runCli(service, ['tenant', '--json'])).code,
    ];
    expect(codes).toEqual([5, 2]);
  });

  it('leave the standard output to JSON with --json, also for the help and the version', async () => {
    const readOutput = async (...args: string[]): Promise<unknown> => {
      const { code, stdout, stderr } = await runCli(service, [...args, '--json']);
      expect([code, stderr]).toEqual([0, '']);
      return JSON.parse(stdout);
    };
    expect(await readOutput('--version')).toEqual({ version: '1.0.0' });
    expect(await readOutput('trigger', '--help')).toEqual({
      help: expect.stringMatching(/^Usage: .*trigger[^]+Example:[^]+payment\.failed/) as string,
    });
    expect(await readOutput('help', 'events', 'tail')).toEqual({
      help: expect.stringMatching(/^Usage: .*events tail \[options\]/) as string,
    });
  });

  it('name commands, and not calls of the API, in the advice of the service', async () => {
    const event = await runCli(service, ['trigger', 'nope', '--key', key]);
    expect(event.stderr).toContain('"events types" lists the types.');
    const types = await runCli(service, ['events', 'types', '--key', key]);
    expect(types.stdout).toMatch(/^payment\.failed +\w/m);
    const own = await runCli(service, ['subscribers', 'show', 'own-7', '--key', key]);
    expect(own.stderr).toContain('"subscribers list --external-id <id>" finds one');
    const found = await runCli(service, [
      'subscribers',
      'list',
      '--external-id',
      'own-7',
      '--key',
      key,
    ]);
    expect([found.code, found.stdout]).toEqual([0, 'none\n']);
  });

  it('refuse a window that ends before it begins', async () => {
    const window = ['--from', '2027-01-01', '--to', '2026-01-01', '--key', key];
    const { code, stdout, stderr } = await runCli(service, ['events', 'list', ...window]);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain('error: --to must be after --from.');
  });

  it('say where the address comes from that does not answer, and how to start the service', async () => {
    const silent = { url: 'http://127.0.0.1:1', dataDir: service.dataDir };
    expect(await runCli(silent, ['tenant', 'list', '--token', 'x', '--json'])).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('"code": "service_unreachable"') as string,
    });
    const refused = await runCli(silent, ['tenant', 'list', '--token', 'x']);
    expect(refused.stderr).toContain('wait until npm start prints its address');
    const unknown = await runCli({ ...silent, url: 'http://nobody.invalid' }, ['tenant', 'list']);
    expect([unknown.code, unknown.stderr]).toEqual([
      3,
      expect.stringMatching(
        /nobody\.invalid.* The address comes from --service\.\nStart the service on that/,
      ),
    ]);
  });

  it('say that another program has answered', async () => {
    const { server, url } = await listen((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>It works!</h1>');
    });
    const run = await runCli({ url, dataDir: service.dataDir }, ['tenant', 'list']);
    expect([run.code, run.stderr]).toEqual([
      3,
      expect.stringContaining(
        'answered with status 200, but the response is not from this service',
      ),
    ]);
    server.close();
  });
});

describe('a command that is refused with 429', () => {
  let service: RunningService;
  beforeAll(async () => {
    service = await RunningService.shared();
  });

  /** A service that refuses the first call with the given Retry-After. */
  const refuseFirst = async (retryAfter: string) => {
    const keys: unknown[] = [];
    const refusal = { type: 'rate_limit_error', code: 'rate_limited', message: 'Too many.' };
    const { server, url } = await listen((request, response) => {
      keys.push(request.headers['idempotency-key']);
      request.resume();
      const isFirst = keys.length === 1;
      const headers = { 'content-type': 'application/json', 'retry-after': retryAfter };
      response.writeHead(
        isFirst ? 429 : 201,
        isFirst ? headers : { 'content-type': 'application/json' },
      );
      response.end(JSON.stringify(isFirst ? { error: refusal } : { id: 'tnt_1', name: 'Acme' }));
    });
    const run = await runCli({ url, dataDir: service.dataDir }, ['tenant', 'create', 'Acme']);
    server.close();
    return { keys, run };
  };

  it('waits as long as the service asks, says so, and sends the same call again', async () => {
    const { keys, run } = await refuseFirst('1');
    expect([run.code, run.stderr]).toEqual([
      0,
      'Too many requests (429). The command goes on in 1 s, as the service asks.\n',
    ]);
    expect(run.stdout).toContain('tnt_1');
    expect(keys).toEqual([expect.stringMatching(/./), keys[0]]);
  });

  it('does not wait for more than a minute', async () => {
    const { keys, run } = await refuseFirst('61');
    expect([run.code, run.stderr, keys.length]).toEqual([6, 'Too many. (rate_limited)\n', 1]);
  });
});
