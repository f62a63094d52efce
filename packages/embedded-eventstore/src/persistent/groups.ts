import type { Faults } from '../faults/faults';
import { SYSTEM_STREAM_NAME_BYTES_MAX } from '../base/limits';
import { errors } from '../protocol/rpc-error';
import type { EventLog } from '../storage/event-log';
import { compileFilter } from '../subscriptions/event-filter';
import type { Hub } from '../subscriptions/hub';
import { readConfiguration, writeConfiguration, type GroupDefinition } from './configuration';
import { Group } from './group';
import { AllGroupSource, StreamGroupSource } from './group-source';
import {
  ALL,
  nameCheckpointStream,
  deleteGroupStreams,
  formatGroupKey,
  readCheckpoint,
  type GroupKey,
} from './group-streams';
import type { GroupSettings } from './settings';

/** The interval in ms at which all groups are checked for time-outs and due checkpoints. */
const TICK_MS = 1_000;

interface Entry {
  definition: GroupDefinition;
  group: Group;
}

interface GroupsOptions {
  readonly log: EventLog;
  readonly hub: Hub;
  readonly faults: Faults;
}

/** All groups (persistent subscriptions) of the server. */
export class Groups {
  readonly #entries = new Map<string, Entry>();
  readonly #ticker: NodeJS.Timeout;

  constructor(private readonly options: GroupsOptions) {
    this.load();
    this.#ticker = setInterval(() => {
      for (const { group } of this.#entries.values()) group.handleTick();
    }, TICK_MS);
  }

  get(key: GroupKey): Group {
    return this.requireEntry(key).group;
  }

  all(): readonly Group[] {
    return [...this.#entries.values()].map(({ group }) => group);
  }

  async create(definition: GroupDefinition): Promise<void> {
    const { key } = definition;
    if (this.#entries.has(formatGroupKey(key))) throw errors.groupExists(key);
    this.check(definition);
    this.#entries.set(formatGroupKey(key), { definition, group: this.run(definition, undefined) });
    try {
      await this.save();
    } catch (error) {
      this.remove(key);
      throw error;
    }
  }

  /**
   * Changes a group. Its consumers are dropped, and it continues from its checkpoint with the same
   * filter.
   */
  async update(key: GroupKey, settings: GroupSettings): Promise<void> {
    const entry = this.requireEntry(key);
    const definition = { ...entry.definition, settings };
    this.check(definition);
    entry.definition = definition;
    this.restartGroup(entry);
    await this.save();
  }

  async delete(key: GroupKey): Promise<void> {
    this.requireEntry(key);
    this.remove(key);
    deleteGroupStreams(this.options.log, key);
    await this.save();
  }

  /** Restarts every group. Consumers are dropped, and each group continues from its checkpoint. */
  restart(): void {
    for (const entry of this.#entries.values()) this.restartGroup(entry);
  }

  /** Ends the calls of all consumers. They may connect again at once. */
  dropConsumers(): void {
    for (const { group } of this.#entries.values()) group.dropConsumers();
  }

  close(): void {
    clearInterval(this.#ticker);
    for (const { group } of this.#entries.values()) group.stop();
    this.#entries.clear();
  }

  /**
   * Restarts a group from its checkpoint in memory, because the newest one may not be committed to
   * the log yet.
   */
  private restartGroup(entry: Entry): void {
    entry.group.stop();
    entry.group = this.run(entry.definition, entry.group.state.checkpoint.position);
  }

  private load(): void {
    for (const definition of readConfiguration(this.options.log)) {
      const { key } = definition;
      const group = this.run(definition, readCheckpoint(this.options.log, key));
      this.#entries.set(formatGroupKey(key), { definition, group });
    }
  }

  private requireEntry(key: GroupKey): Entry {
    const found = this.#entries.get(formatGroupKey(key));
    if (!found) throw errors.groupDoesNotExist(key);
    return found;
  }

  private remove(key: GroupKey): void {
    this.#entries.get(formatGroupKey(key))?.group.stop();
    this.#entries.delete(formatGroupKey(key));
  }

  private save(): Promise<void> {
    const definitions = [...this.#entries.values()].map(({ definition }) => definition);
    return writeConfiguration(this.options.log, definitions);
  }

  private run({ key, settings, filter }: GroupDefinition, checkpoint: number | undefined): Group {
    const { log, hub, faults } = this.options;
    const options = { log, hub, settings };
    const source =
      key.source === ALL
        ? new AllGroupSource(options, filter && compileFilter(filter.expression))
        : new StreamGroupSource(options, key.source);
    return new Group({ log, key, settings, source, checkpoint, faults });
  }

  private check({ key, settings }: GroupDefinition): void {
    const problem = this.findProblem(key, settings);
    if (problem !== undefined) throw errors.groupFailed(key, problem);
  }

  private findProblem(key: GroupKey, settings: GroupSettings): string | undefined {
    if (key.group === '' || key.source === '') return 'The stream or the group has no name.';
    if (Buffer.byteLength(nameCheckpointStream(key)) > SYSTEM_STREAM_NAME_BYTES_MAX) {
      return `The names of stream and group are longer than ${SYSTEM_STREAM_NAME_BYTES_MAX} bytes together.`;
    }
    if (settings.readBatchSize <= 0) return 'The read batch size must be positive.';
    if (settings.readBatchSize >= settings.historyBufferSize) {
      return 'The read batch size must be smaller than the history buffer size.';
    }
    if (key.source === ALL && settings.startFrom !== 'end') {
      if (settings.startFrom > this.options.log.end) return 'The start position is beyond the end.';
    }
    return undefined;
  }
}
