import type { FilterExpression } from '../subscriptions/event-filter';

export type ConsumerStrategy = 'DispatchToSingle' | 'RoundRobin' | 'Pinned' | 'PinnedByCorrelation';

/** The settings of a group (persistent.proto, `Settings`). */
export interface GroupSettings {
  readonly resolveLinks: boolean;
  /**
   * The revision or the position of $all to start at, inclusive; `end` for events that come after
   * the group was created.
   */
  readonly startFrom: number | 'end';
  readonly extraStatistics: boolean;
  readonly messageTimeoutMs: number;
  readonly maxRetryCount: number;
  readonly checkpointAfterMs: number;
  readonly minCheckpointCount: number;
  readonly maxCheckpointCount: number;
  /** The maximum number of consumers; 0 for no limit. */
  readonly maxSubscriberCount: number;
  readonly liveBufferSize: number;
  readonly readBatchSize: number;
  readonly historyBufferSize: number;
  readonly strategy: ConsumerStrategy;
}

/** The filter of a group on $all, which cannot be changed later. */
export interface GroupFilter {
  readonly expression: FilterExpression;
  readonly checkpointInterval: number;
}

export const STRATEGIES: readonly ConsumerStrategy[] = [
  'DispatchToSingle',
  'RoundRobin',
  'Pinned',
  'PinnedByCorrelation',
];

export const isStrategy = (name: string): name is ConsumerStrategy =>
  STRATEGIES.some((strategy) => strategy === name);

export const isPinned = (strategy: ConsumerStrategy): boolean =>
  strategy === 'Pinned' || strategy === 'PinnedByCorrelation';
