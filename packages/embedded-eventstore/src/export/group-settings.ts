import type { Filter, PersistentSubscriptionToStreamSettings } from '@eventstore/db-client';
import type { GroupDefinition } from '../persistent/configuration';

/** Returns the settings of a group as the client writes them, without its start. */
export const createSettings = ({
  settings,
}: GroupDefinition): Omit<PersistentSubscriptionToStreamSettings, 'startFrom'> => ({
  resolveLinkTos: settings.resolveLinks,
  extraStatistics: settings.extraStatistics,
  messageTimeout: settings.messageTimeoutMs,
  maxRetryCount: settings.maxRetryCount,
  checkPointAfter: settings.checkpointAfterMs,
  checkPointLowerBound: settings.minCheckpointCount,
  checkPointUpperBound: settings.maxCheckpointCount,
  maxSubscriberCount: settings.maxSubscriberCount,
  liveBufferSize: settings.liveBufferSize,
  readBatchSize: settings.readBatchSize,
  historyBufferSize: settings.historyBufferSize,
  consumerStrategyName: settings.strategy,
});

/** Returns the filter of a group on `$all` as the client writes it. */
export const createFilter = ({
  expression,
  checkpointInterval,
}: NonNullable<GroupDefinition['filter']>): Filter => ({
  filterOn: expression.on === 'stream-name' ? ('streamName' as const) : ('eventType' as const),
  checkpointInterval: 1,
  maxSearchWindow: checkpointInterval,
  ...(expression.prefixes.length > 0
    ? { prefixes: [...expression.prefixes] }
    : { regex: expression.regex }),
});
