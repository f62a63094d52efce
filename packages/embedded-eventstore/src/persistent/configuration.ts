import { appendSystemEvent } from '../storage/appends';
import type { EventLog } from '../storage/event-log';
import { CONFIGURATION_STREAM } from '../storage/stream-metadata';
import { readNewestUnderstood, type GroupKey } from './group-streams';
import type { GroupFilter, GroupSettings } from './settings';

/** The configuration of a group, whether it runs or not. */
export interface GroupDefinition {
  readonly key: GroupKey;
  readonly settings: GroupSettings;
  readonly filter: GroupFilter | undefined;
}

/**
 * The configuration of all groups is one event, which is written again at each change, as on
 * EventStoreDB. So the cost of creating many groups grows with the square of their number, and the
 * largest record limits it.
 */
interface StoredConfiguration {
  readonly version: '1';
  readonly updated: string;
  readonly entries: readonly GroupDefinition[];
}

export const readConfiguration = (log: EventLog): readonly GroupDefinition[] =>
  readNewestUnderstood(log, CONFIGURATION_STREAM, parseEntries) ?? [];

const parseEntries = (data: string): readonly GroupDefinition[] | undefined => {
  try {
    const { version, entries } = JSON.parse(data) as Partial<StoredConfiguration>;
    return version === '1' && Array.isArray(entries) ? entries : undefined;
  } catch {
    return undefined;
  }
};

/** Resolves when the configuration is on disk. */
export const writeConfiguration = (
  log: EventLog,
  entries: readonly GroupDefinition[],
): Promise<void> => {
  const stored: StoredConfiguration = {
    version: '1',
    updated: new Date(log.now()).toISOString(),
    entries,
  };
  appendSystemEvent(log, CONFIGURATION_STREAM, {
    type: '$PersistentConfig',
    json: true,
    data: Buffer.from(JSON.stringify(stored)),
  });
  return log.waitUntilFlushed();
};
