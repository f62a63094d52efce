import { SubscriptionInfo } from '@eventstore/db-client/generated/persistent_pb';
import type { ConnectedConsumer, Group } from '../persistent/group';
import { ALL, formatPosition } from '../persistent/group-streams';

/** Describes a group for GetInfo and List. */
export const describeGroup = (group: Group, nowMs: number): SubscriptionInfo => {
  const { key, settings, state } = group;
  const info = new SubscriptionInfo();
  info.setEventSource(key.source);
  info.setGroupName(key.group);
  info.setStatus(describeStatus(group));
  info.setConnectionsList(
    [...group.consumers.values()].map((consumer) => createConnectionInfo(group, consumer, nowMs)),
  );
  const counts = group.items.measure(nowMs);
  info.setAveragePerSecond(counts.averagePerSecond);
  info.setTotalItems(String(counts.totalItems));
  info.setCountSinceLastMeasurement(String(counts.countSinceLastMeasurement));
  info.setLastCheckpointedEventPosition(formatOptionalPosition(group, state.checkpoint.position));
  info.setLastKnownEventPosition(formatOptionalPosition(group, group.lastKnown));
  info.setResolveLinkTos(settings.resolveLinks);
  info.setStartFrom(formatStart(group));
  info.setMessageTimeoutMilliseconds(settings.messageTimeoutMs);
  info.setExtraStatistics(settings.extraStatistics);
  info.setMaxRetryCount(settings.maxRetryCount);
  info.setLiveBufferSize(settings.liveBufferSize);
  info.setBufferSize(settings.historyBufferSize);
  info.setReadBatchSize(settings.readBatchSize);
  info.setCheckPointAfterMilliseconds(settings.checkpointAfterMs);
  info.setMinCheckPointCount(settings.minCheckpointCount);
  info.setMaxCheckPointCount(settings.maxCheckpointCount);
  info.setReadBufferCount(state.live ? 0 : state.waiting.length);
  info.setLiveBufferCount(String(state.live ? state.waiting.length : 0));
  info.setRetryBufferCount(state.retries.length);
  info.setTotalInFlightMessages(state.inFlight.length);
  info.setOutstandingMessagesCount(state.inFlight.length + state.parking.length);
  info.setNamedConsumerStrategy(settings.strategy);
  info.setMaxSubscriberCount(settings.maxSubscriberCount);
  info.setParkedMessageCount(String(group.parkedCount));
  return info;
};

const formatOptionalPosition = (group: Group, position: number | undefined): string =>
  position === undefined ? '' : formatPosition(group.key, position);

const formatStart = ({ key, settings: { startFrom } }: Group): string => {
  if (startFrom !== 'end') return formatPosition(key, startFrom);
  return key.source === ALL ? 'C:-1/P:-1' : '-1';
};

const describeStatus = ({ state, isAtEnd }: Group): string => {
  const replaying = [...state.retries, ...state.inFlight.map(({ delivery }) => delivery)].some(
    ({ parkedRevision }) => parkedRevision !== undefined,
  );
  return `${isAtEnd ? 'Live' : 'Behind'}${replaying ? ', ReplayingParkedMessages' : ''}`;
};

const createConnectionInfo = (
  group: Group,
  { id, link, items, latencies }: ConnectedConsumer,
  nowMs: number,
): SubscriptionInfo.ConnectionInfo => {
  const inFlight = group.state.consumers.find((consumer) => consumer.id === id)?.inFlight ?? 0;
  const counts = items.measure(nowMs);
  const info = new SubscriptionInfo.ConnectionInfo();
  info.setFrom(link.from);
  info.setUsername(link.user);
  info.setConnectionName(link.connectionName);
  info.setAverageItemsPerSecond(counts.averagePerSecond);
  info.setTotalItems(String(counts.totalItems));
  info.setCountSinceLastMeasurement(String(counts.countSinceLastMeasurement));
  info.setAvailableSlots(link.slots - inFlight);
  info.setInFlightMessages(inFlight);
  if (group.settings.extraStatistics) {
    info.setObservedMeasurementsList(
      latencies.summarise().map(([key, ms]) => createMeasurement(key, ms)),
    );
  }
  return info;
};

const createMeasurement = (key: string, value: number): SubscriptionInfo.Measurement => {
  const message = new SubscriptionInfo.Measurement();
  message.setKey(key);
  message.setValue(String(value));
  return message;
};
