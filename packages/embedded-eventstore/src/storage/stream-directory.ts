import { STREAMS_CACHED_MAX } from '../base/limits';
import type { LogReader } from './log-reader';
import { readData, readType } from './record';
import {
  getInitialMetadata,
  isMetastream,
  METADATA_TYPE,
  getMetastreamName,
  parseMetadata,
  type StreamMetadata,
} from './stream-metadata';
import { readPosition, type Tables } from './tables';

export interface StreamFacts {
  /** The revision of the last event; -1 before the first one. */
  readonly lastRevision: number;
  readonly metadata: StreamMetadata;
  readonly hasMetadata: boolean;
}

/**
 * A stream that has a number. `head` is the state on which the next append is decided. It includes
 * appends that are not on disk yet. `committed` is the state that readers may see. The two differ
 * only during a commit; a failed commit resets `head`.
 */
export interface Stream {
  readonly name: string;
  readonly number: number;
  head: StreamFacts;
  committed: StreamFacts;
}

/**
 * Finds streams by name: the recently used ones in memory, the others in the tables. The cache has
 * two generations instead of a linked list: when the young one is full, the old one is dropped.
 * Streams with uncommitted changes are kept separately, because the tables do not have those
 * changes.
 */
export class StreamDirectory {
  #young = new Map<string, Stream>();
  #old = new Map<string, Stream>();
  readonly #dirty = new Map<string, Stream>();

  constructor(
    private readonly tables: Tables,
    private readonly reader: LogReader,
  ) {}

  find(name: string): Stream | undefined {
    const young = this.#young.get(name);
    if (young) return young;
    const found = this.#old.get(name) ?? this.#dirty.get(name) ?? this.load(name);
    if (found) this.keep(found);
    return found;
  }

  /** Adds a stream that gets its first event or its first metadata with the next commit. */
  add(name: string, number: number): Stream {
    const facts = { lastRevision: -1, metadata: getInitialMetadata(name), hasMetadata: false };
    const stream: Stream = { name, number, head: facts, committed: facts };
    this.keep(stream);
    return stream;
  }

  advance(stream: Stream, head: StreamFacts): void {
    stream.head = head;
    this.#dirty.set(stream.name, stream);
  }

  /**
   * Makes the `head` of the beginning of the commit the committed state. Later appends may have
   * changed `head`.
   */
  finishCommit(stream: Stream, committed: StreamFacts): void {
    stream.committed = committed;
    if (stream.head === committed) this.#dirty.delete(stream.name);
  }

  /** Resets all uncommitted changes, because they build on the failed commit. */
  forgetUncommitted(): void {
    for (const stream of this.#dirty.values()) {
      stream.head = stream.committed;
      this.#young.delete(stream.name);
      this.#old.delete(stream.name);
    }
    this.#dirty.clear();
  }

  private keep(stream: Stream): void {
    this.#young.set(stream.name, stream);
    if (this.#young.size * 2 < STREAMS_CACHED_MAX) return;
    this.#old = this.#young;
    this.#young = new Map();
  }

  private load(name: string): Stream | undefined {
    const number = this.findNumber(name);
    if (number === undefined) return undefined;
    const facts = {
      lastRevision: this.reader.findLastRevision(number),
      ...this.loadMetadata(name),
    };
    return { name, number, head: facts, committed: facts };
  }

  private loadMetadata(name: string): Omit<StreamFacts, 'lastRevision'> {
    const none = { metadata: getInitialMetadata(name), hasMetadata: false };
    if (isMetastream(name)) return none;
    const metastream = this.findNumber(getMetastreamName(name));
    if (metastream === undefined) return none;
    const last = this.reader.find(metastream, this.reader.findLastRevision(metastream));
    if (!last || readType(last.record) !== METADATA_TYPE) return none;
    return { metadata: parseMetadata(readData(last.record)), hasMetadata: true };
  }

  private findNumber(name: string): number | undefined {
    const found = this.tables.streams.get(Buffer.from(name));
    return found && readPosition(found);
  }
}
