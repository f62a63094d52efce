import { randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { LIVE_BUFFER_EVENTS_MAX } from '../base/limits';
import { CAUGHT_UP, encodeCheckpoint, encodeEvents } from '../protocol/read-codec';
import { encodeConfirmation } from '../protocol/common-codec';
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
 * A catch-up subscription. It reads pages from storage to the end, sends `caught_up`, and then
 * sends events as they are committed. If more than 32 live events wait for a slow client, it reads
 * pages again and sends `caught_up` again, as EventStoreDB does. It does not delay other
 * subscribers.
 */
export class CatchUpSubscription {
  #live = false;
  #draining = false;
  #queue: StagedEvent[] = [];

  constructor(private readonly subscriber: Subscriber) {}

  start(): void {
    const { call, source } = this.subscriber;
    source.assertReadable();
    call.send(encodeConfirmation(randomUUID()));
    const stop = source.listen((events) => {
      this.runGuarded(() => {
        this.sendLive(events);
      });
    });
    call.callWhenClosed(stop);
    this.runGuarded(() => this.catchUp());
  }

  /**
   * Reads the last page and goes live in one turn of the event loop, so that no commit can come
   * between the two.
   */
  private async catchUp(): Promise<void> {
    const { call, source } = this.subscriber;
    while (!call.closed) {
      const { items, atEnd } = source.readNextPage();
      const writable = this.send(items);
      if (atEnd) {
        call.send(CAUGHT_UP);
        this.#live = true;
        return;
      }
      if (writable) await setImmediate();
      else await call.waitUntilWritable();
    }
  }

  private sendLive(events: readonly StagedEvent[]): void {
    for (const event of events) {
      if (!this.#live) return;
      if (this.#draining) this.enqueue(event);
      else if (!this.send(this.subscriber.source.selectLive(event)))
        this.runGuarded(() => this.drain());
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
    await call.waitUntilWritable();
    for (let next = this.#queue.shift(); next; next = this.#queue.shift()) {
      if (!this.send(source.selectLive(next))) await call.waitUntilWritable();
    }
    this.#draining = false;
    if (!this.#live) await this.catchUp();
  }

  /** Sends consecutive events in one buffer, and checkpoints between them. */
  private send(items: readonly Item[]): boolean {
    const { call } = this.subscriber;
    let writable = true;
    let run: LogEntry[] = [];
    const sendRun = (): void => {
      if (run.length > 0) writable = call.send(this.encode(run));
      run = [];
    };
    for (const item of items) {
      if (item.kind === 'event') {
        run.push(item.entry);
        continue;
      }
      sendRun();
      if (item.kind === 'checkpoint') writable = call.send(encodeCheckpoint(item.position));
      else call.fail(item.error);
    }
    sendRun();
    return writable;
  }

  private encode(entries: readonly LogEntry[]): Buffer {
    const { log, resolveLinks } = this.subscriber;
    return encodeEvents(entries.map((entry) => resolve(log, entry, resolveLinks)));
  }

  private runGuarded(work: () => void | Promise<void>): void {
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
