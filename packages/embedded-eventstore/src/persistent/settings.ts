import type { FilterExpression } from '../subscriptions/event-filter';

export type ConsumerStrategy = 'DispatchToSingle' | 'RoundRobin' | 'Pinned' | 'PinnedByCorrelation';

/** The settings of a group (persistent.proto, `Settings`). */
export interface GroupSettings {
  readonly resolveLinks: boolean;
  /** Inclusive: a revision, or a position of $all. `end`: what comes after the group starts. */
  readonly startFrom: number | 'end';
  readonly extraStatistics: boolean;
  readonly messageTimeoutMs: number;
  readonly maxRetryCount: number;
  readonly checkpointAfterMs: number;
  readonly minCheckpointCount: number;
  readonly maxCheckpointCount: number;
  /** 0: no limit */
  readonly maxSubscriberCount: number;
  readonly liveBufferSize: number;
  readonly readBatchSize: number;
  readonly historyBufferSize: number;
  readonly strategy: ConsumerStrategy;
}

/** A filter on $all; it cannot be changed later. */
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
