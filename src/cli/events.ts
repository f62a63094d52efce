import type { Command } from 'commander';
import { setTimeout as delay } from 'node:timers/promises';
import { parseCount, parseInstantArgument, parseList, parseWholeNumber } from './arguments';
import type { Client } from './client';
import { CallFailed, EXIT } from './failures';
import { watchClosedOutput } from './closed-output';
import { bold, dim } from './colour';
import { type Caller, KEY_TEXT, findTenant } from './operator';
import { printLine } from './output';

type Json = Record<string, unknown>;

const PATH = '/v1/events';
const POLL_MS = 1_000;
/**
 * Each poll reads this much time again, because the clocks of the two machines may differ and an
 * event may become visible after a later one.
 */
const OVERLAP_MS = 60_000;
const IDS_KEPT_MAX = 10_000;
const FIELDS = ['id', 'type', 'created_at', 'sequence', 'subscriber', 'subscription', 'data'];

interface Filters {
  readonly events?: readonly string[];
  readonly subscriber?: string;
}

export const addEventsCommands = (program: Command): void => {
  const events = program.command('events').description('the events of an environment');

  addFilters(events.command('tail'))
    .option('--lines <count>', 'how many earlier events to show first', parseWholeNumber, 10)
    .description('show events as they happen; Ctrl-C ends')
    .action(async (options: Filters & { readonly lines: number }, command: Command) => {
      await tail(findTenant(command), options);
    });

  addFilters(events.command('list'))
    .option(
      '--from <time>',
      'date or time, inclusive: 2026-10-01, 2026-10-01T09:30:00Z',
      parseInstantArgument,
    )
    .option('--to <time>', 'date or time, exclusive', parseInstantArgument)
    .option('--limit <count>', 'how many events to show', parseCount, 50)
    .description('list events, newest first')
    .action(
      async (
        options: Filters & { readonly from?: string; readonly to?: string; readonly limit: number },
        command: Command,
      ) => {
        const { client, showList, asJson } = findTenant(command);
        requireForwardWindow(options);
        const query = {
          ...createQuery(options),
          ...(options.from === undefined ? {} : { created_after: options.from }),
          ...(options.to === undefined ? {} : { created_before: options.to }),
        };
        const found = client.list(PATH, query, options.limit);
        await showList(asJson ? found : addSubscriberId(found), [
          'created_at',
          'type',
          'id',
          'subscriber_id',
          'sequence',
        ]);
      },
    );

  events
    .command('types')
    .option('--key <key>', KEY_TEXT)
    .description('list the types of events')
    .action(async (_options, command: Command) => {
      const { client, showList } = findTenant(command);
      await showList(client.list('/v1/event_types'), ['type', 'description']);
    });

  events
    .command('show')
    .argument('<event>')
    .option('--key <key>', KEY_TEXT)
    .description('show an event')
    .action(async (id: string, _options, command: Command) => {
      const { client, show } = findTenant(command);
      show(await client.get(`${PATH}/${encodeURIComponent(id)}`), FIELDS);
    });
};

const requireForwardWindow = ({ from, to }: { from?: string; to?: string }): void => {
  if (from === undefined || to === undefined || Date.parse(from) < Date.parse(to)) return;
  throw new CallFailed('error: --to must be after --from.', EXIT.usage);
};

const addFilters = (command: Command): Command =>
  command
    .option('--key <key>', KEY_TEXT)
    .option(
      '--events <types>',
      'types or families separated by commas, for example payment.*',
      parseList,
    )
    .option('--subscriber <subscriber>', 'only the events of this subscriber');

const createQuery = ({ events, subscriber }: Filters): Json => ({
  ...(events === undefined ? {} : { event_types: events.join() }),
  ...(subscriber === undefined ? {} : { subscriber_id: subscriber }),
});

async function* addSubscriberId(events: AsyncIterable<Json>): AsyncGenerator<Json> {
  for await (const event of events) yield { ...event, subscriber_id: readSubscriberId(event) };
}

const readSubscriberId = ({ subscriber }: Json): string =>
  (subscriber as { id?: string } | undefined)?.id ?? '';

const tail = async (
  { client, asJson }: Caller,
  options: Filters & { readonly lines: number },
): Promise<void> => {
  endWithoutError();
  const print = (event: Json): void => {
    printLine(asJson ? JSON.stringify(event) : formatLine(event));
  };
  const seen = new SeenEvents();
  const query = createQuery(options);
  const startedAtMs = Date.now();
  for (const event of await fetchEarlier(client, query, options.lines)) {
    seen.add(event);
    print(event);
  }
  if (!asJson) process.stderr.write('Waiting for events. Ctrl-C ends.\n');
  const outage = new Outage(asJson);
  let readAtMs = startedAtMs;
  for (;;) {
    const nowMs = Date.now();
    const fromMs = Math.max(startedAtMs, readAtMs - OVERLAP_MS);
    const latest = await outage.wait(fetchLatest(client, query, fromMs));
    for (const event of latest ?? []) if (seen.add(event)) print(event);
    if (latest !== null) readAtMs = nowMs;
    await delay(POLL_MS);
  }
};

/** A time in which the service does not answer. One message reports its start and one its end. */
class Outage {
  private isRunning = false;

  constructor(private readonly isSilent: boolean) {}

  /** Returns the result; null if the service does not answer or fails. Rethrows other errors. */
  async wait<T>(result: Promise<T>): Promise<T | null> {
    try {
      const found = await result;
      if (this.isRunning) this.tell('The service answers again.');
      this.isRunning = false;
      return found;
    } catch (error) {
      if (!(error instanceof CallFailed) || !TEMPORARY_EXIT_CODES.has(error.exitCode)) throw error;
      if (!this.isRunning) this.tell(`${error.message}\nWaiting for the service.`);
      this.isRunning = true;
      return null;
    }
  }

  private tell(line: string): void {
    if (!this.isSilent) process.stderr.write(`${line}\n`);
  }
}

const TEMPORARY_EXIT_CODES: ReadonlySet<number> = new Set([EXIT.unreachable, EXIT.serviceError]);

/** Ends the program at Ctrl-C, and when nobody reads its output any more. */
const endWithoutError = (): void => {
  const end = (): void => process.exit(0);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, end);
  watchClosedOutput().addEventListener('abort', end);
};

const fetchEarlier = async (client: Client, query: Json, lines: number): Promise<Json[]> => {
  if (lines === 0) return [];
  const newestFirst = [];
  for await (const event of client.list(PATH, { ...query, ...limitToNow() }, lines))
    newestFirst.push(event);
  return newestFirst.reverse();
};

/**
 * Returns the events since a time, oldest first. A test clock can create events in the future. They
 * are shown when their time has come.
 */
const fetchLatest = async (client: Client, query: Json, fromMs: number): Promise<Json[]> => {
  const from = new Date(fromMs).toISOString();
  const found = [];
  const window = { ...query, ...limitToNow(), created_after: from, order: 'asc' };
  for await (const event of client.list(PATH, window)) found.push(event);
  return found;
};

const limitToNow = (): Json => ({
  created_before: new Date(Date.now() + OVERLAP_MS).toISOString(),
});

/** Remembers the latest events that were shown, so that none is shown twice. */
class SeenEvents {
  private readonly ids = new Set<unknown>();

  /** Adds an event. Returns true if it was not shown before. */
  add({ id }: Json): boolean {
    if (this.ids.has(id)) return false;
    this.ids.add(id);
    const [oldest] = this.ids;
    if (this.ids.size > IDS_KEPT_MAX) this.ids.delete(oldest);
    return true;
  }
}

/** Formats an event as `2026-11-23T10:00:00.000Z  payment.failed  evt_…  subscriber_…`. */
const formatLine = (event: Json): string =>
  [
    dim(String(event['created_at'])),
    bold(String(event['type']).padEnd(30)),
    String(event['id']),
    dim(readSubscriberId(event)),
  ].join('  ');
