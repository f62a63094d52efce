import type { StagedEvent } from '../storage/committer';

type Listener = (events: readonly StagedEvent[]) => void;

/**
 * Passes committed events to subscribers in the order of the log, in the same turn of the event
 * loop as the commit.
 */
export class Hub {
  readonly #byStream = new Map<string, Set<Listener>>();
  readonly #all = new Set<Listener>();

  publish(events: readonly StagedEvent[]): void {
    for (const [listeners, theirs] of this.#groupByListeners(events)) {
      for (const listener of [...listeners]) listener(theirs);
    }
    if (events.length > 0) for (const listener of [...this.#all]) listener(events);
  }

  /** Adds a listener and returns the function that removes it. */
  listenToStream(name: string, listener: Listener): () => void {
    const listeners = this.#byStream.get(name) ?? new Set();
    this.#byStream.set(name, listeners);
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0 && this.#byStream.get(name) === listeners) {
        this.#byStream.delete(name);
      }
    };
  }

  listenToAll(listener: Listener): () => void {
    this.#all.add(listener);
    return () => this.#all.delete(listener);
  }

  /** Groups events by the listeners of their stream. */
  #groupByListeners(events: readonly StagedEvent[]): Map<Set<Listener>, StagedEvent[]> {
    const addressed = new Map<Set<Listener>, StagedEvent[]>();
    for (const event of events) {
      const listeners = this.#byStream.get(event.stream.name);
      if (!listeners) continue;
      const theirs = addressed.get(listeners);
      if (theirs) theirs.push(event);
      else addressed.set(listeners, [event]);
    }
    return addressed;
  }
}
