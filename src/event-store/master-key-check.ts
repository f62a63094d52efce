import { randomUUID } from 'node:crypto';
import { ConfigError } from '../config';
import type { Instant } from '../kernel/time';
import { append, RevisionConflict } from './append';
import type { EventStoreConnection } from './connection';
import type { MasterKey } from './master-key';
import { readStream } from './read';
import { whenChecked } from './start-check';
import type { StoredEvent } from './stored-event';
import { categoryStream, streams } from './streams';

const MARK = 'the master key of this log';

/** A text that the master key wrapped, and the context it is bound to. */
interface Wrapped {
  readonly text: string;
  readonly context: string;
}

export interface KeyCheckParts {
  readonly connection: EventStoreConnection;
  readonly masterKey: MasterKey;
  readonly now: () => Instant;
}

/**
 * Resolves when the key is known to be the one the log was written with; throws when it is another.
 * The first start leaves a mark of its key. A log from before there were marks is tried by the first
 * secret in it, and marked then. Waits for a store that is away.
 */
export const checkMasterKey = (parts: KeyCheckParts, signal: AbortSignal): Promise<void> =>
  whenChecked('the master key', () => check(parts), signal);

const check = async (parts: KeyCheckParts): Promise<void> => {
  const mark = await readMark(parts);
  const known = mark ?? (await firstSecret(parts));
  if (known !== null && !opens(parts.masterKey, known)) throw wrongKey();
  if (mark === null) await leaveMark(parts);
};

const readMark = async ({ connection }: KeyCheckParts): Promise<Wrapped | null> => {
  for await (const { data } of readStream(connection.client, streams.masterKey().name)) {
    return { text: data['wrapped'] as string, context: MARK };
  }
  return null;
};

/** The first data key or signing secret that has not been deleted. */
const firstSecret = async ({ connection }: KeyCheckParts): Promise<Wrapped | null> => {
  for (const category of ['vault', 'destination']) {
    const links = readStream(connection.client, categoryStream(category), { resolveLinks: true });
    for await (const event of links) {
      const found = secretIn(event);
      if (found !== null) return found;
    }
  }
  return null;
};

const secretIn = ({ type, stream, data }: StoredEvent): Wrapped | null => {
  const context = stream.slice(stream.indexOf('-') + 1);
  if (type === 'vault.key_created') return { text: data['wrapped'] as string, context };
  const secret = data['secret'] as { readonly wrapped: string } | null | undefined;
  return secret == null ? null : { text: secret.wrapped, context };
};

const opens = (masterKey: MasterKey, { text, context }: Wrapped): boolean => {
  try {
    masterKey.unwrap(text, context);
    return true;
  } catch {
    return false;
  }
};

/** Of several processes that start at once one leaves its mark; the others try theirs on it. */
const leaveMark = async (parts: KeyCheckParts): Promise<void> => {
  const { connection, masterKey, now } = parts;
  const uuid = randomUUID();
  const event = {
    uuid,
    type: 'master_key.marked',
    data: { wrapped: masterKey.wrap(MARK, MARK) },
    metadata: { schema: 'v1', at: now(), command: uuid },
  };
  try {
    await append(connection, { stream: streams.masterKey().name, expected: -1, events: [event] });
  } catch (error) {
    if (!(error instanceof RevisionConflict)) throw error;
    await check(parts);
  }
};

const wrongKey = (): ConfigError =>
  new ConfigError([
    'MASTER_KEY is not the key that the data was written with (without the variable it is ' +
      'DATA_DIR/master-key): names and secrets cannot be read; bring the right key back',
  ]);
