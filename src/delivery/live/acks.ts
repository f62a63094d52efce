import type { GroupBatch, GroupMessage } from '../../event-store/groups';

interface PendingAck {
  readonly message: GroupMessage;
  readonly ack: GroupBatch['ack'];
}

/**
 * The messages that are acknowledged once their outcome is journalled, by event id. A message that
 * arrives again over a new connection replaces the old one. Acknowledgements of the same turn of
 * the event loop are sent together.
 */
export class PendingAcks {
  private readonly outstanding = new Map<string, PendingAck>();
  private readonly due = new Map<GroupBatch['ack'], GroupMessage[]>();

  add(eventId: string, handle: PendingAck): void {
    this.outstanding.set(eventId, handle);
  }

  /** True if a message of the event waits for its outcome to be journalled. */
  has(eventId: string): boolean {
    return this.outstanding.has(eventId);
  }

  /** Acknowledges the message of an event whose outcome is in the journal. */
  markJournalled(eventId: string): void {
    const handle = this.outstanding.get(eventId);
    if (handle === undefined) return;
    this.outstanding.delete(eventId);
    const messages = this.due.get(handle.ack) ?? [];
    messages.push(handle.message);
    this.due.set(handle.ack, messages);
    if (this.due.size === 1 && messages.length === 1)
      setImmediate(() => {
        this.send();
      });
  }

  /**
   * Drops all messages because their connection has ended. The store sends them again, to this
   * process or to another owner.
   */
  discardAll(): void {
    this.outstanding.clear();
  }

  private send(): void {
    const groups = [...this.due];
    this.due.clear();
    for (const [ack, messages] of groups) {
      // A message of a broken connection is sent again by the store and is recognised then.
      ack(messages).catch(() => undefined);
    }
  }
}
