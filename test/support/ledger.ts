import type { ServerResponse } from 'node:http';
import type { TestTenant } from './service';
import { Receiver, type Received } from './receiver';

interface Receipt {
  readonly eventId: string;
  readonly subscriberId: string;
  readonly sequence: number;
  /** The number of kills before it. */
  readonly epoch: number;
}

/** A receiver that keeps a list of what it has confirmed. */
export class Ledger {
  readonly receipts: Receipt[] = [];
  private readonly confirmed = new Set<string>();
  private readonly tickets = new Set<string>();
  private attempts = 0;
  private epoch = 0;
  /** True while the receiver answers 503. */
  isDown = false;

  private constructor(
    readonly receiver: Receiver,
    /** One of this many attempts is answered with 503; 0 for none. */
    private readonly refusesOneOf: number,
  ) {}

  static async start(refusesOneOf = 0): Promise<Ledger> {
    const receiver = await Receiver.start();
    const ledger = new Ledger(receiver, refusesOneOf);
    receiver.answer((received, response) => {
      ledger.respond(received, response);
    });
    return ledger;
  }

  /** Records that the service was killed: deliveries in flight may arrive again. */
  recordKill(): void {
    this.epoch += 1;
  }

  hasTickets(ids: readonly string[]): boolean {
    return ids.every((id) => this.tickets.has(id));
  }

  hasEvents(ids: readonly string[]): boolean {
    return ids.every((id) => this.confirmed.has(id));
  }

  /** Returns the events that were confirmed although the tenant does not have them. */
  listUnknownEvents(known: ReadonlySet<string>): string[] {
    return [...this.confirmed].filter((id) => !known.has(id));
  }

  /** Returns the events that were confirmed more than once without a kill in between. */
  listNeedlessRepeats(): string[] {
    const last = new Map<string, number>();
    const repeated: string[] = [];
    for (const { eventId, epoch } of this.receipts) {
      if (last.get(eventId) === epoch) repeated.push(eventId);
      last.set(eventId, epoch);
    }
    return repeated;
  }

  /** Returns the events that a later one of the same subscriber overtook. */
  listOvertaken(): string[] {
    const newest = new Map<string, number>();
    const seen = new Set<string>();
    return this.receipts.flatMap(({ eventId, subscriberId, sequence }) => {
      if (seen.has(eventId)) return [];
      seen.add(eventId);
      const before = newest.get(subscriberId) ?? 0;
      newest.set(subscriberId, Math.max(before, sequence));
      return sequence < before ? [eventId] : [];
    });
  }

  close(): Promise<void> {
    return this.receiver.close();
  }

  private respond({ event }: Received, response: ServerResponse): void {
    this.attempts += 1;
    // The receiver keeps nothing else, so that the test's memory stays small.
    this.receiver.received.length = 0;
    if (this.isDown || (this.refusesOneOf > 0 && this.attempts % this.refusesOneOf === 0)) {
      response.statusCode = 503;
      response.end();
      return;
    }
    const { id: eventId, sequence, subscriber, data } = event as unknown as DeliveredEvent;
    this.receipts.push({ eventId, subscriberId: subscriber.id, sequence, epoch: this.epoch });
    this.confirmed.add(eventId);
    if (data.ticket !== undefined) this.tickets.add(data.ticket.id);
    response.end('ok');
  }
}

interface DeliveredEvent {
  readonly id: string;
  readonly sequence: number;
  readonly subscriber: { readonly id: string };
  readonly data: { readonly ticket?: { readonly id: string } };
}

/** Returns the ids of all events of a tenant. */
export const listEventIds = async ({ api }: TestTenant): Promise<string[]> => {
  const ids: string[] = [];
  for (let cursor = ''; ;) {
    const { ok } = await api.get(`/v1/events?limit=100${cursor}`);
    ids.push(...(ok['data'] as { id: string }[]).map(({ id }) => id));
    if (ok['has_more'] !== true) return ids;
    cursor = `&starting_after=${encodeURIComponent(String(ok['next_cursor']))}`;
  }
};
