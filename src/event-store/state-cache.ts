import { LRUCache } from 'lru-cache';

/**
 * Size of the cache in facts. A fact takes about half a kilobyte in the state of a subscriber, so
 * the cache takes about 60 MiB.
 */
const FACTS_MAX = 100_000;
/** Size of a state without facts, in facts. */
const BASE_SIZE_FACTS = 4;
/**
 * Upper limit of the size of one state. Without it a very long stream would never be cached and be
 * read in full each time.
 */
const SIZE_MAX_FACTS = FACTS_MAX / 4;
/**
 * The states of erased subscribers are never cached. This is the maximum number of their streams that
 * the cache remembers; it forgets the oldest ones first.
 */
const EXCLUDED_MAX = 100_000;

interface Loaded<State> {
  readonly state: State;
  readonly revision: number;
}

/**
 * A cache of the most recently used states. Its size is measured in facts, because a stream may
 * have one or ten thousand.
 */
export class StateCache {
  private readonly states: LRUCache<string, Loaded<unknown>>;
  /**
   * Streams whose state must not be cached. A command that began before an erasure must not bring
   * back values that it had read.
   */
  private readonly excluded = new LRUCache<string, true>({ max: EXCLUDED_MAX });

  constructor(factsMax = FACTS_MAX) {
    this.states = new LRUCache<string, Loaded<unknown>>({
      maxSize: factsMax,
      sizeCalculation: ({ revision }) =>
        Math.min(revision + 1 + BASE_SIZE_FACTS, SIZE_MAX_FACTS, factsMax),
    });
  }

  get(stream: string): Loaded<unknown> | undefined {
    return this.states.get(stream);
  }

  /** Keeps a state, unless its stream is excluded. */
  set(stream: string, loaded: Loaded<unknown>): void {
    if (!this.excluded.has(stream)) this.states.set(stream, loaded);
  }

  has(stream: string): boolean {
    return this.states.has(stream);
  }

  clear(): void {
    this.states.clear();
  }

  /** Drops the state of a stream, and keeps none of it from now on. */
  exclude(stream: string): void {
    this.excluded.set(stream, true);
    this.states.delete(stream);
  }
}
