import type { StreamIdentifier } from '@eventstore/db-client/generated/shared_pb';
import { CreateReq, type UpdateReq } from '@eventstore/db-client/generated/persistent_pb';
import type { GroupDefinition } from '../persistent/configuration';
import { ALL, type GroupKey } from '../persistent/group-streams';
import { isStrategy, type ConsumerStrategy, type GroupSettings } from '../persistent/settings';
import { errors } from '../protocol/rpc-error';
import { assertStreamName } from './append-validation';
import { readFilter } from './read-request';

/**
 * Reads the requests of the persistent subscriptions service. These calls are rare, so the
 * generated messages are fast enough.
 */

interface SourceOptions {
  getStreamIdentifier(): StreamIdentifier | undefined;
  hasAll(): boolean;
  getGroupName(): string;
}

export const readGroupKey = (options: SourceOptions | undefined): GroupKey => {
  if (!options) throw errors.invalidArgument('The options are missing.');
  const source = options.hasAll() ? ALL : readStreamName(options.getStreamIdentifier());
  assertStreamName(source);
  return { source, group: options.getGroupName() };
};

export const readStreamName = (identifier: StreamIdentifier | undefined): string =>
  Buffer.from(identifier?.getStreamName_asU8() ?? []).toString();

type ChangeOptions = CreateReq.Options | UpdateReq.Options;

/**
 * Returns the key of a group that a client creates or changes. The official client uses the oldest
 * of three fields for the stream's name; other clients use newer ones.
 */
export const readChangedKey = (options: ChangeOptions | undefined): GroupKey => {
  if (!options) throw errors.invalidArgument('The options are missing.');
  const stream = options.getStream();
  if (!stream) return readGroupKey(options);
  const source = readStreamName(stream.getStreamIdentifier());
  assertStreamName(source);
  return { source, group: options.getGroupName() };
};

export const readCreatedDefinition = (options: CreateReq.Options | undefined): GroupDefinition => {
  const key = readChangedKey(options);
  const filter = options?.getAll()?.getFilter();
  if (!filter) return { key, settings: readSettings(key, options), filter: undefined };
  const { expression, checkpointInterval } = readFilter(filter);
  return { key, settings: readSettings(key, options), filter: { expression, checkpointInterval } };
};

export const readSettings = (key: GroupKey, options: ChangeOptions | undefined): GroupSettings => {
  const settings = options?.getSettings();
  if (!options || !settings) throw errors.invalidArgument('The settings are missing.');
  return {
    resolveLinks: settings.getResolveLinks(),
    startFrom: readStart(key, options),
    extraStatistics: settings.getExtraStatistics(),
    messageTimeoutMs: settings.hasMessageTimeoutTicks()
      ? toMs(settings.getMessageTimeoutTicks())
      : settings.getMessageTimeoutMs(),
    maxRetryCount: settings.getMaxRetryCount(),
    checkpointAfterMs: settings.hasCheckpointAfterTicks()
      ? toMs(settings.getCheckpointAfterTicks())
      : settings.getCheckpointAfterMs(),
    minCheckpointCount: settings.getMinCheckpointCount(),
    maxCheckpointCount: settings.getMaxCheckpointCount(),
    maxSubscriberCount: settings.getMaxSubscriberCount(),
    liveBufferSize: settings.getLiveBufferSize(),
    readBatchSize: settings.getReadBatchSize(),
    historyBufferSize: settings.getHistoryBufferSize(),
    strategy: readStrategy(key, settings),
  };
};

/** Converts ticks of 100 ns to milliseconds. */
const toMs = (ticks: string): number => Number(ticks) / 10_000;

const readStart = (key: GroupKey, options: ChangeOptions): number | 'end' => {
  const all = options.getAll();
  const position = all?.getPosition();
  if (position) return startOfPosition(key, position);
  const stream = options.getStream();
  const start = all ?? stream;
  if (start?.hasEnd()) return 'end';
  if (start?.hasStart()) return 0;
  return startNumber(stream?.getRevision() ?? options.getSettings()?.getRevision() ?? '0');
};

const startOfPosition = (
  key: GroupKey,
  position: { getCommitPosition(): string; getPreparePosition(): string },
): number | 'end' => {
  const commit = startNumber(position.getCommitPosition());
  const prepare = startNumber(position.getPreparePosition());
  if (commit !== 'end' && prepare !== 'end' && prepare > commit) {
    throw errors.groupFailed(key, 'The prepare position is greater than the commit position.');
  }
  return commit;
};

/** A revision of 2^64 - 1 means the end. */
const startNumber = (text: string): number | 'end' => {
  const number = Number(text);
  return number > Number.MAX_SAFE_INTEGER ? 'end' : number;
};

type SettingsMessage = CreateReq.Settings | UpdateReq.Settings;

const readStrategy = (key: GroupKey, settings: SettingsMessage): ConsumerStrategy => {
  const named = settings instanceof CreateReq.Settings ? settings.getConsumerStrategy() : '';
  if (named !== '') {
    if (isStrategy(named)) return named;
    throw errors.groupFailed(key, `Consumer strategy ${named} does not exist.`);
  }
  switch (settings.getNamedConsumerStrategy()) {
    case CreateReq.ConsumerStrategy.DISPATCHTOSINGLE:
      return 'DispatchToSingle';
    case CreateReq.ConsumerStrategy.ROUNDROBIN:
      return 'RoundRobin';
    case CreateReq.ConsumerStrategy.PINNED:
      return 'Pinned';
    default:
      throw errors.groupFailed(key, 'The consumer strategy is unknown.');
  }
};
