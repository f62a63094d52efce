import type { Command } from 'commander';
import type { Client } from './client';
import { watchClosedOutput } from './closed-output';
import { CallFailed } from './failures';
import { bold, dim } from './colour';
import {
  storeQuickstartTenant,
  type QuickstartTenant,
  readQuickstartTenant,
} from './quickstart-tenant';
import { type ReceivedWebhook, Listener, toJson } from './listener';
import { formatLine } from './listen';
import { formatNextCommand } from './next-command';
import { type Caller, findOperator } from './operator';
import { printLine } from './output';

const TENANT_NAME = 'Quickstart';
const EXAMPLE_PLAN = { name: 'Pro', amount: 2000, currency: 'USD', interval: 'month' };
const EXPECTED_EVENT_TYPES = ['subscriber.created', 'payment.succeeded', 'subscription.activated'];
const WAIT_LIMIT_MS = 30_000;

export const addQuickstartCommand = (program: Command): void => {
  program
    .command('quickstart')
    .description('create a tenant, a key, a plan and a receiver, and show the first webhooks')
    .action(async (_options, command: Command) => {
      await runQuickstart(findOperator(command));
    });
};

const runQuickstart = async (caller: Caller): Promise<void> => {
  const { client: operator, asJson } = caller;
  const service = operator.url;
  // The receiver must be removed even if nobody reads the output.
  watchClosedOutput();
  const startedAt = performance.now();
  const print = (line: string): void => {
    if (!asJson) printLine(line);
  };
  const { tenant, key } = await findTenantWithKey(caller);
  const api = caller.connect(key);
  await api.change('put', '/v1/plans/pro', EXAMPLE_PLAN);
  print(`${bold('Tenant')} ${tenant}, a key of its test environment, the plan "pro".`);
  const arrivals = new Arrivals(EXPECTED_EVENT_TYPES, print);
  const listener = await Listener.start({ operator, tenant }, (webhook) => {
    arrivals.add(webhook);
  });
  try {
    print(`${bold('Listening')} on this machine, as a destination of the test environment.\n`);
    print(`${dim('→')} POST /v1/subscribers     ${dim('ada@example.com')}`);
    const ada = await api.change('post', '/v1/subscribers', { email: 'ada@example.com' });
    print(`${dim('→')} POST /v1/subscriptions   ${dim('plan "pro", payment method "pm_test_ok"')}`);
    await api.change('post', '/v1/subscriptions', {
      subscriber_id: ada['id'],
      plan: 'pro',
      payment_method: 'pm_test_ok',
    });
    await arrivals.complete;
  } finally {
    arrivals.stop();
    await listener.close();
  }
  const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
  const webhooks = arrivals.webhooks.map(toJson);
  if (asJson) printLine(JSON.stringify({ tenant, key, service, webhooks }, null, 2));
  else printLine(formatNextSteps({ seconds, service, tenant, key }));
  if (arrivals.webhooks.some(({ problem }) => problem !== null)) process.exitCode = 1;
};

/**
 * Returns the tenant that an earlier run created. Creates one if there is none, and stores its key
 * for the other commands.
 */
const findTenantWithKey = async ({
  client: operator,
  connect,
}: Caller): Promise<QuickstartTenant> => {
  const kept = readQuickstartTenant();
  if (kept !== null && (await hasValidKey(connect(kept.key)))) return kept;
  const { id } = await operator.change('post', '/operator/v1/tenants', { name: TENANT_NAME });
  const issued = await operator.change('post', `/operator/v1/tenants/${String(id)}/api-keys`, {
    environment: 'test',
    name: 'quickstart',
  });
  const made = { tenant: String(id), key: String(issued['key']) };
  storeQuickstartTenant(made);
  return made;
};

const hasValidKey = (api: Client): Promise<boolean> =>
  api.get('/v1/plans', { limit: 1 }).then(
    () => true,
    () => false,
  );

/** Collects webhooks until each expected type has arrived. */
class Arrivals {
  readonly webhooks: ReceivedWebhook[] = [];
  readonly complete: Promise<void>;
  private readonly timer: NodeJS.Timeout;
  private done: () => void = () => undefined;

  constructor(
    private readonly expected: readonly string[],
    private readonly print: (line: string) => void,
  ) {
    let fail: (error: Error) => void;
    this.complete = new Promise((resolve, reject) => {
      this.done = resolve;
      fail = reject;
    });
    this.complete.catch(() => undefined);
    this.timer = setTimeout(() => {
      const missing = this.expected.filter((type) => !this.has(type)).join(', ');
      fail(new CallFailed(`${missing} did not arrive within ${WAIT_LIMIT_MS / 1_000} s.`));
    }, WAIT_LIMIT_MS);
  }

  add(webhook: ReceivedWebhook): void {
    this.webhooks.push(webhook);
    this.print(`${dim('←')} ${formatLine(webhook)}`);
    if (this.expected.every((type) => this.has(type))) this.done();
  }

  stop(): void {
    clearTimeout(this.timer);
  }

  private has(type: string): boolean {
    return this.webhooks.some((each) => each.type === type);
  }
}

interface QuickstartResult {
  readonly seconds: string;
  readonly service: string;
  readonly tenant: string;
  readonly key: string;
}

const formatNextSteps = (result: QuickstartResult): string =>
  [
    '',
    `Three webhooks, signed, delivered and verified in ${result.seconds} s. Next:`,
    '',
    `  ${formatNextCommand('listen')}`,
    dim('    shows webhooks as they come'),
    `  ${formatNextCommand('trigger payment.failed')}`,
    dim('    makes any event, in another terminal'),
    `  ${formatNextCommand('listen --forward http://localhost:4000/webhooks')}`,
    dim('    sends each webhook on to your own server'),
    `  ${formatNextCommand(`console link --tenant ${result.tenant} --role owner`)}`,
    dim('    a link that opens all of this in the console'),
    '',
    `  curl -H "Authorization: Bearer ${result.key}" ${result.service}/v1/events`,
    `  ${result.service}/docs`,
  ].join('\n');
