import { randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { LIVE_BUFFER_EVENTS_MAX } from '../limits';
import {
  CAUGHT_UP,
  encodeCheckpoint,
  encodeConfirmation,
  encodeEvents,
} from '../protocol/read-codec';
import { asRpcError } from '../protocol/rpc-error';
import type { StagedEvent } from '../storage/committer';
import type { EventLog } from '../storage/event-log';
import type { LogEntry } from '../storage/log-reader';
import { resolve } from '../storage/stream-reader';
import type { Call } from '../transport/call';
import type { Item, Source } from './source';

interface Subscriber {
  readonly log: EventLog;
  readonly call: Call;
  readonly source: Source;
  readonly resolveLinks: boolean;
}

/**
 * A catch-up subscription: pages from storage until there is no more, then `caught_up`, then events
 * as they are committed. A client that reads too slowly for the live events delays nobody: beyond 32
 * waiting events it is put back to reading pages, and told again when it has caught up, as on the
 * real server.
 */
export class CatchUpSubscription {
  #live = false;
  #draining = false;
  #queue: StagedEvent[] = [];

  constructor(private readonly subscriber: Subscriber) {}

  start(): void {
    const { call, source } = this.subscriber;
    call.send(encodeConfirmation(randomUUID()));
    const stop = source.listen((events) => {
      this.guarded(() => {
        this.onLive(events);
      });
    });
    call.onClosed(stop);
    this.guarded(() => this.catchUp());
  }

  /** Reading the last page and going live happen in one turn: nothing is committed in between. */
  private async catchUp(): Promise<void> {
    const { call, source } = this.subscriber;
    while (!call.closed) {
      const { items, atEnd } = source.nextPage();
      const writable = this.send(items);
      if (atEnd) {
        call.send(CAUGHT_UP);
        this.#live = true;
        return;
      }
      if (writable) await setImmediate();
      else await call.writable();
    }
  }

  private onLive(events: readonly StagedEvent[]): void {
    for (const event of events) {
      if (!this.#live) return;
      if (this.#draining) this.enqueue(event);
      else if (!this.send(this.subscriber.source.live(event))) this.guarded(() => this.drain());
    }
  }

  private enqueue(event: StagedEvent): void {
    this.#queue.push(event);
    if (this.#queue.length <= LIVE_BUFFER_EVENTS_MAX) return;
    this.#live = false;
    this.#queue = [];
  }

  private async drain(): Promise<void> {
    const { call, source } = this.subscriber;
    this.#draining = true;
    await call.writable();
    for (let next = this.#queue.shift(); next; next = this.#queue.shift()) {
      if (!this.send(source.live(next))) await call.writable();
    }
    this.#draining = false;
    if (!this.#live) await this.catchUp();
  }

  /** Runs of events go into one buffer; checkpoints stand between the events they follow. */
  private send(items: readonly Item[]): boolean {
    const { call } = this.subscriber;
    let writable = true;
    let run: LogEntry[] = [];
    const sendRun = (): void => {
      if (run.length > 0) writable = call.send(this.encode(run));
      run = [];
    };
    for (const item of items) {
      if (item.kind === 'event') run.push(item.entry);
      else {
        sendRun();
        writable = call.send(encodeCheckpoint(item.position));
      }
    }
    sendRun();
    return writable;
  }

  private encode(entries: readonly LogEntry[]): Buffer {
    const { log, resolveLinks } = this.subscriber;
    return encodeEvents(entries.map((entry) => resolve(log, entry, resolveLinks)));
  }

  private guarded(work: () => void | Promise<void>): void {
    const { call } = this.subscriber;
    const fail = (error: unknown): void => {
      call.fail(asRpcError(error));
    };
    try {
      work()?.catch(fail);
    } catch (error) {
      fail(error);
    }
  }
}
