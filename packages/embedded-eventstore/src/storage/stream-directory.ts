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
  /** -1 before the first event */
  readonly lastRevision: number;
  readonly metadata: StreamMetadata;
  readonly hasMetadata: boolean;
}

/**
 * A stream that has a number. `head` is what the next append is decided on, including appends that
 * are not on disk yet; `committed` is what readers may see. They differ only while a commit is on
 * its way, and a failed commit sets `head` back.
 */
export interface Stream {
  readonly name: string;
  readonly number: number;
  head: StreamFacts;
  committed: StreamFacts;
}

/**
 * Streams by name: the recently used ones from memory, the others from the tables. Two generations
 * instead of a linked list: when the young one is full, the old one is dropped. Streams with
 * uncommitted changes are held apart, because the tables do not know those changes.
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

  /** A stream that gets its first event, or its first metadata, with the next commit. */
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
   * The `head` at the begin of the commit is now on disk. Later appends may have changed `head`.
   */
  finishCommit(stream: Stream, committed: StreamFacts): void {
    stream.committed = committed;
    if (stream.head === committed) this.#dirty.delete(stream.name);
  }

  /** After a failed commit nothing that was decided on top of it holds. */
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
