import type { Command } from 'commander';
import { parseList } from './arguments';
import { watchClosedOutput } from './closed-output';
import { bold, dim, green, red } from './colour';
import { findTenantOrDefault } from './default-tenant';
import {
  Listener,
  type ListenerStatus,
  parseForwardUrl,
  type ReceivedWebhook,
  toJson,
} from './listener';
import { formatNextCommand } from './next-command';
import { findOperator } from './operator';
import { printLine } from './output';

interface ListenOptions {
  readonly tenant?: string;
  readonly forward?: URL;
  readonly events?: readonly string[];
}

export const addListenCommand = (program: Command): void => {
  program
    .command('listen')
    .option(
      '--tenant <tenant>',
      'the tenant of the test environment (default: that of API_KEY, else of "quickstart")',
    )
    .option(
      '--forward <url>',
      'forward each webhook to your own server: a port, or http://localhost:4000/webhooks',
      parseForwardUrl,
    )
    .option(
      '--events <types>',
      'types or families separated by commas, for example payment.*',
      parseList,
    )
    .description('receive the webhooks of a test environment here and verify them; Ctrl-C ends')
    .action(listen);
};

const SERVICE_GONE = 'The service cannot deliver here for now, but the listener waits for it.';
const SERVICE_BACK = 'The service can deliver here again.\n';

const listen = async (options: ListenOptions, command: Command): Promise<void> => {
  const { client, asJson } = findOperator(command);
  const { tenant, origin } = await findTenantOrDefault(client, options.tenant);
  const stopped = new Promise<void>((resolve) => {
    process.once('SIGINT', resolve);
    process.once('SIGTERM', resolve);
    watchClosedOutput().addEventListener('abort', () => {
      resolve();
    });
  });
  const place = {
    operator: client,
    tenant,
    ...(options.events === undefined ? {} : { eventTypes: options.events }),
    ...(options.forward === undefined ? {} : { forward: options.forward }),
    onService: (problem: string | null): void => {
      process.stderr.write(problem === null ? SERVICE_BACK : `${SERVICE_GONE} ${problem}\n`);
    },
    onStatus: (status: ListenerStatus): void => {
      process.stderr.write(`${describeStatus(status, tenant, listener.destinationId)}\n`);
    },
  };
  const listener = await Listener.start(place, (webhook) => {
    printLine(asJson ? JSON.stringify(toJson(webhook)) : formatLine(webhook));
  });
  const forward = place.forward === undefined ? '' : `, forwarding to ${place.forward.href}`;
  process.stderr.write(
    `Listening to the test environment of ${tenant} (${origin})${forward}.\n` +
      `  destination     ${listener.destinationId}  (Ctrl-C ends and removes it; the events stay in the log)\n` +
      `  signing secret  ${listener.signingSecret}\n`,
  );
  await stopped;
  const isRemoved = await listener.close();
  const line = describeEnd(tenant, listener.destinationId, isRemoved);
  process.stderr.write(`${line}\n`);
};

const describeStatus = (
  { status, reason }: ListenerStatus,
  tenant: string,
  destination: string,
): string => {
  if (status === 'active') return `The destination ${destination} is enabled again.`;
  if (status === 'deleted')
    return `The destination ${destination} was deleted, so no event is sent here any more. End this command with Ctrl-C and start it again.`;
  const why =
    reason === 'gone'
      ? 'Your server answered 410 (Gone), so the service has disabled the destination, as it does for every receiver that answers so.'
      : 'The destination was disabled.';
  const enable = formatNextCommand(`destination enable ${tenant} ${destination}`);
  return `${why} No event is sent here until it is enabled again:\n  ${enable}`;
};

const describeEnd = (tenant: string, destination: string, isRemoved: boolean): string =>
  isRemoved
    ? `The destination ${destination} was removed.`
    : `The destination ${destination} was not removed, because the service did not answer. The next "listen" removes it, or: ${formatNextCommand(`destination delete ${tenant} ${destination} --force`)}`;

/** Formats a webhook as `✓ verified  payment.failed  evt_…  attempt 1  → 200 in 12 ms`. */
export const formatLine = (webhook: ReceivedWebhook): string => {
  const { type, id, subscriberId, attempt, replayId, problem, forwarded } = webhook;
  const verdict = problem === null ? green('✓ verified') : red(`✗ not verified: ${problem}`);
  return [
    verdict,
    bold(type.padEnd(30)),
    dim(id),
    dim(subscriberId),
    ...(attempt > 1 ? [`attempt ${attempt}`] : []),
    ...(replayId === null ? [] : ['replayed']),
    ...(forwarded === null ? [] : [formatForwarded(forwarded)]),
  ].join('  ');
};

const formatForwarded = ({
  status,
  durationMs: durationMs,
  error,
}: NonNullable<ReceivedWebhook['forwarded']>): string => {
  if (error !== null) return red(`→ your server did not answer: ${error}`);
  const text = `→ ${status} in ${durationMs} ms`;
  return status < 300 ? green(text) : red(text);
};
