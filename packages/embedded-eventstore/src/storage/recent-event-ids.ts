import { RECENT_EVENT_IDS_BYTES_MAX } from '../base/limits';
import type { SeenEvent } from './expected-revision';

interface SeenInStream extends SeenEvent {
  readonly streamNumber: number;
}

/**
 * The memory of one entry in bytes: the id as a string, the entry itself, and its part of the map.
 */
const ENTRY_BYTES = 160;
const ENTRIES_MAX = Math.floor(RECENT_EVENT_IDS_BYTES_MAX / ENTRY_BYTES);

/**
 * The event ids of the newest appends. The oldest are forgotten first, and a restart forgets all.
 * This is deliberately no better than EventStoreDB's cache of the same size: an application that
 * repeats appends without a revision must fail here too.
 */
export class RecentEventIds {
  readonly #seen = new Map<string, SeenInStream>();

  remember(id: string, streamNumber: number, at: SeenEvent): void {
    this.#seen.delete(id);
    this.#seen.set(id, { streamNumber, revision: at.revision, position: at.position });
    if (this.#seen.size > ENTRIES_MAX) this.forgetOldest();
  }

  find(id: string, streamNumber: number): SeenEvent | undefined {
    const seen = this.#seen.get(id);
    return seen?.streamNumber === streamNumber ? seen : undefined;
  }

  clear(): void {
    this.#seen.clear();
  }

  private forgetOldest(): void {
    for (const id of this.#seen.keys()) {
      this.#seen.delete(id);
      return;
    }
  }
}
