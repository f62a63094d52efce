import { randomUUID } from 'node:crypto';
import { ConfigError } from '../config/config';
import { DATA_FORMAT } from '../config/data-format';
import type { Clock } from '../kernel/time';
import { VERSION } from '../ops/version';
import { append } from './append';
import type { EventStoreConnection } from './connection';
import { readStream } from './read';
import { checkUntilAnswered } from './start-check';
import type { StoredEvent } from './stored-event';
import { streams } from './streams';

/** The event type is a storage format and must not be renamed. */
const RAISED_EVENT = 'data_format.raised';

interface DataFormatParts {
  readonly connection: EventStoreConnection;
  readonly clock: Clock;
}

/**
 * Resolves if this version can read the log. A log of a later data format is refused with a
 * `ConfigError`. In a log of an earlier format the format of this version is recorded.
 */
export const checkDataFormat = (parts: DataFormatParts, signal: AbortSignal): Promise<void> =>
  checkUntilAnswered('the data format', () => check(parts), signal);

/** The format of a log in which no format has been recorded. */
const NEVER_RECORDED = 0;

const check = async ({ connection, clock }: DataFormatParts): Promise<void> => {
  const stream = streams.dataFormat().name;
  let last: StoredEvent | undefined;
  for await (const event of readStream(connection.client, stream)) last = event;
  const format = last === undefined ? NEVER_RECORDED : Number(last.data['format']);
  const writer = last?.data['version'];
  if (format > DATA_FORMAT)
    throw tooNewError(format, typeof writer === 'string' ? writer : 'unknown');
  if (format === DATA_FORMAT) return;
  const uuid = randomUUID();
  const data = { format: DATA_FORMAT, version: VERSION };
  const metadata = { schema: 'v1', at: clock.now(), command: uuid };
  // Several processes that start at the same time may each record it. The same number twice is
  // harmless.
  await append(connection, {
    stream,
    expected: 'any',
    events: [{ uuid, type: RAISED_EVENT, data, metadata }],
  });
};

const tooNewError = (format: number, version: string): ConfigError =>
  new ConfigError([
    `the event store has data format ${format}, which version ${version} wrote; this is version ` +
      `${VERSION}, which knows formats up to ${DATA_FORMAT}: start version ${version} or a newer ` +
      'one, or restore a backup from before the upgrade',
  ]);
