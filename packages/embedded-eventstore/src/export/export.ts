import {
  type EventStoreDBClient,
  type EventData,
  NO_STREAM,
  PersistentSubscriptionExistsError,
  persistentSubscriptionToAllSettingsFromDefaults,
  persistentSubscriptionToStreamSettingsFromDefaults,
  type Position,
  type ResolvedEvent,
  START,
  END,
  StreamDeletedError,
  StreamNotFoundError,
  WrongExpectedVersionError,
} from '@eventstore/db-client';
import { createHash } from 'node:crypto';
import { readConfiguration, type GroupDefinition } from '../persistent/configuration';
import { ALL, readCheckpoint } from '../persistent/group-streams';
import { PROJECTIONS } from '../projections/definitions';
import { EventLog } from '../storage/event-log';
import type { LogEntry } from '../storage/log-reader';
import {
  readCustomMetadata,
  readData,
  readEventId,
  isJson,
  isSound,
  readRevision,
  readStreamName,
  readStreamNumber,
  TOMBSTONE_REVISION,
  readType,
} from '../storage/record';
import {
  isMetastream,
  isSoftDeleted,
  METADATA_TYPE,
  parseMetadata,
  getStreamOfMetastream,
} from '../storage/stream-metadata';
import { assertStore } from '../storage/tables';
import { isCopied } from './copied-streams';
import { createFilter, createSettings } from './group-settings';
import { openTarget } from './open-target';
import { Progress } from './progress';
import { groupRuns } from './runs';

/**
 * The number of records in one page of an export. All appends of a page are in flight at once. They
 * use one call of the client, which keeps their order.
 */
const PAGE_RECORDS = 500;

export interface ExportOptions {
  readonly dir: string;
  /** The connection string of an EventStoreDB, `esdb://…`. */
  readonly to: string;
  /** Is called after each page. */
  readonly onProgress: (position: number, end: number) => void;
}

export interface ExportReport {
  /** The number of events that this run copied. Earlier runs may have copied others. */
  readonly events: number;
  readonly groups: number;
  /**
   * The number of events whose JSON differs in the target in spaces or in the notation of numbers,
   * with the same meaning.
   */
  readonly reencoded: number;
}

/**
 * Copies a store into another one. Events keep their ids and revisions and the order of the log.
 * Metadata and deletions of streams follow, then projections and persistent subscriptions. A
 * repeated export continues after an interruption and copies new events. The target assigns its own
 * positions and creation times. The function throws at a damaged record, because the target would
 * take it for a sound one.
 */
export const exportDirectory = async (options: ExportOptions): Promise<ExportReport> => {
  assertStore(options.dir);
  const client = openTarget(options.to);
  const log = new EventLog({ dir: options.dir });
  try {
    return await new Export(log, client, options).run();
  } finally {
    await client.dispose();
    await log.close();
  }
};

class Export {
  readonly #metadata = new Map<string, LogEntry>();
  readonly #tombstones: string[] = [];
  /** The first revision of each stream whose older events were removed. */
  readonly #holes = new Map<string, number>();
  #events = 0;
  #reencoded = 0;

  constructor(
    private readonly log: EventLog,
    private readonly client: EventStoreDBClient,
    private readonly options: ExportOptions,
  ) {}

  async run(): Promise<ExportReport> {
    await this.copyEvents();
    for (const [stream, entry] of this.#metadata) await this.copyMetadata(stream, entry);
    for (const [stream, revision] of this.#holes) await this.hide(stream, revision);
    for (const stream of this.#tombstones) await this.tombstone(stream);
    await this.enableProjections();
    const groups = readConfiguration(this.log);
    for (const group of groups) await this.createGroup(group);
    return { events: this.#events, groups: groups.length, reencoded: this.#reencoded };
  }

  private async copyEvents(): Promise<void> {
    const progress = new Progress(this.options.dir, this.options.to);
    const done = progress.position;
    let at: number | undefined = 0;
    while (at !== undefined) {
      const { entries, next } = this.log.reader.readForward(at, PAGE_RECORDS);
      const copied: LogEntry[] = [];
      for (const entry of entries) {
        requireSound(entry);
        if (!this.isEvent(entry)) continue;
        this.recordHoleBefore(entry);
        if (entry.position >= done) copied.push(entry);
      }
      for (const { record } of copied) await this.fillHoleBefore(record);
      await Promise.all(groupRuns(copied).map((run) => this.append(run)));
      at = next;
      if ((at ?? this.log.end) > done) progress.save(at ?? this.log.end);
      this.options.onProgress(at ?? this.log.end, this.log.end);
    }
  }

  /**
   * Returns true if the event is to be copied now. Metadata and tombstones are copied at the end.
   */
  private isEvent(entry: LogEntry): boolean {
    const { record } = entry;
    const stream = readStreamName(record);
    if (isMetastream(stream)) {
      const owner = getStreamOfMetastream(stream);
      if (readType(record) === METADATA_TYPE && isCopied(owner)) this.#metadata.set(owner, entry);
      return false;
    }
    if (!isCopied(stream)) return false;
    if (readRevision(record) !== TOMBSTONE_REVISION) return true;
    this.#tombstones.push(stream);
    return false;
  }

  private recordHoleBefore({ record }: LogEntry): void {
    const revision = readRevision(record);
    if (revision === 0) return;
    const older = this.log.reader.listOldestBelow(readStreamNumber(record), revision, 1);
    if (older.length === 0) this.#holes.set(readStreamName(record), revision);
  }

  /**
   * Fills the place of removed events. The oldest event of a stream may have a revision above 0,
   * but the target counts from 0. So empty events take the places of the removed ones, and `hide`
   * truncates them at the end.
   */
  private async fillHoleBefore(record: Buffer): Promise<void> {
    const stream = readStreamName(record);
    const revision = readRevision(record);
    if (this.#holes.get(stream) !== revision) return;
    for (let from = 0; from < revision; from += PAGE_RECORDS) {
      const length = Math.min(PAGE_RECORDS, revision - from);
      const events = Array.from({ length }, (_, at) => createPlaceholder(stream, from + at));
      const expectedRevision = from === 0 ? NO_STREAM : BigInt(from - 1);
      await this.client.appendToStream(stream, events, { expectedRevision });
    }
  }

  private async hide(stream: string, revision: number): Promise<void> {
    const { metadata } = await this.client.getStreamMetadata(stream);
    const before = metadata?.truncateBefore;
    const truncateBefore = Math.max(typeof before === 'number' ? before : 0, revision);
    await this.client.setStreamMetadata(stream, { ...metadata, truncateBefore });
  }

  /**
   * Appends consecutive events of one stream at their revisions. A repeated append changes nothing.
   */
  private async append(run: readonly LogEntry[]): Promise<void> {
    const [first] = run;
    if (!first) return;
    const stream = readStreamName(first.record);
    const revision = readRevision(first.record);
    const expectedRevision = revision === 0 ? NO_STREAM : BigInt(revision - 1);
    try {
      const events = run.map(({ record }) => this.toEventData(record));
      await this.client.appendToStream(stream, events, { expectedRevision });
      this.#events += run.length;
    } catch (error) {
      if (error instanceof StreamDeletedError) return;
      if (!(error instanceof WrongExpectedVersionError)) throw error;
      throw new Error(`${stream} has other events in the target, from revision ${revision} on.`, {
        cause: error,
      });
    }
  }

  private toEventData(record: Buffer): EventData {
    const metadata = new Uint8Array(readCustomMetadata(record));
    const shared = {
      id: readEventId(record),
      type: readType(record),
      metadata: metadata.length === 0 ? undefined : metadata,
    };
    const json = isJson(record) ? this.parseJson(readData(record).toString()) : undefined;
    return json === undefined
      ? {
          ...shared,
          contentType: 'application/octet-stream',
          data: new Uint8Array(readData(record)),
        }
      : { ...shared, contentType: 'application/json', data: json as Record<string, unknown> };
  }

  /** The client accepts JSON only as a value. Data that is not valid JSON is sent as bytes. */
  private parseJson(text: string): unknown {
    try {
      const value: unknown = JSON.parse(text);
      if (JSON.stringify(value) !== text) this.#reencoded++;
      return value;
    } catch {
      return undefined;
    }
  }

  /** Copies the last metadata of a stream if the target does not have it yet. */
  private async copyMetadata(stream: string, { record }: LogEntry): Promise<void> {
    try {
      if (isSoftDeleted(parseMetadata(readData(record)))) {
        await this.client.deleteStream(stream);
        return;
      }
      const event = this.toEventData(record);
      const metastream = `$$${stream}`;
      if ((await this.findLastId(metastream)) === event.id) return;
      await this.client.appendToStream(metastream, event);
    } catch (error) {
      // An earlier export has deleted the stream in the target.
      if (error instanceof StreamDeletedError || error instanceof WrongExpectedVersionError) return;
      throw error;
    }
  }

  private async findLastId(stream: string): Promise<string | undefined> {
    const read = this.client.readStream(stream, {
      direction: 'backwards',
      fromRevision: 'end',
      maxCount: 1,
    });
    return (await this.readLastEvent(read))?.id;
  }

  /**
   * Returns the last event that a read finds; undefined if the stream does not exist. It reads to the
   * end, because the client hangs if a read is left early.
   */
  private async readLastEvent(read: AsyncIterable<ResolvedEvent>): Promise<ResolvedEvent['event']> {
    let found: ResolvedEvent['event'];
    try {
      for await (const { event } of read) found = event;
    } catch (error) {
      if (!(error instanceof StreamNotFoundError)) throw error;
    }
    return found;
  }

  private async tombstone(stream: string): Promise<void> {
    try {
      await this.client.tombstoneStream(stream);
    } catch (error) {
      if (!(error instanceof StreamDeletedError)) throw error;
    }
  }

  private async enableProjections(): Promise<void> {
    for (const name of Object.keys(PROJECTIONS)) {
      const state = this.log.readMeta(`projection:${name}`);
      if (state !== undefined && (JSON.parse(state) as { enabled: boolean }).enabled) {
        await this.client.enableProjection(name);
      }
    }
  }

  /**
   * Creates a persistent subscription that starts after its checkpoint in the source. One that
   * exists in the target stays unchanged.
   */
  private async createGroup(definition: GroupDefinition): Promise<void> {
    const { key } = definition;
    try {
      if (key.source === ALL) await this.createGroupOnAll(definition);
      else {
        const start = this.findStart(definition);
        await this.client.createPersistentSubscriptionToStream(
          key.source,
          key.group,
          persistentSubscriptionToStreamSettingsFromDefaults({
            ...createSettings(definition),
            startFrom: start === 'end' ? END : BigInt(start),
          }),
        );
      }
    } catch (error) {
      if (!(error instanceof PersistentSubscriptionExistsError)) throw error;
    }
  }

  private findStart({ key, settings }: GroupDefinition): number | 'end' {
    const checkpoint = readCheckpoint(this.log, key);
    return checkpoint === undefined ? settings.startFrom : checkpoint + 1;
  }

  private async createGroupOnAll(definition: GroupDefinition): Promise<void> {
    const { key, filter } = definition;
    const start = this.findStart(definition);
    const startFrom = start === 'end' ? END : await this.findPositionInTarget(start);
    await this.client.createPersistentSubscriptionToAll(
      key.group,
      persistentSubscriptionToAllSettingsFromDefaults({ ...createSettings(definition), startFrom }),
      filter ? { filter: createFilter(filter) } : {},
    );
  }

  /**
   * Returns the position in the target of the last event that was copied before a position of the
   * source. That event may be delivered again.
   */
  private async findPositionInTarget(position: number): Promise<Position | typeof START> {
    let before: number | undefined = position;
    while (before !== undefined) {
      const page = this.log.reader.readBackward(before, PAGE_RECORDS);
      const found = page.entries.find(({ record }) => isCopied(readStreamName(record)));
      if (found && readRevision(found.record) !== TOMBSTONE_REVISION) {
        const fromRevision = BigInt(readRevision(found.record));
        const name = readStreamName(found.record);
        const read = this.client.readStream(name, { fromRevision, maxCount: 1 });
        const target = await this.readLastEvent(read);
        if (target?.position !== undefined) return target.position;
      }
      before = page.next;
    }
    return START;
  }
}

/** Creates the event that stands for a removed one. A repeated export gives it the same id. */
const createPlaceholder = (stream: string, revision: number): EventData => {
  const digest = createHash('sha256').update(`${revision}@${stream}`).digest('hex');
  const id = digest.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-5$3-8$4-$5');
  return {
    id,
    type: 'removed',
    contentType: 'application/octet-stream',
    data: new Uint8Array(),
    metadata: undefined,
  };
};

const requireSound = ({ record, position }: LogEntry): void => {
  if (isSound(record, position)) return;
  throw new Error(
    `The record at ${position} is damaged (checksum). Restore the store from a backup.`,
  );
};
