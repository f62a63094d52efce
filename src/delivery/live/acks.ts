import type { GroupBatch, GroupMessage } from '../../event-store/groups';

interface Handle {
  readonly message: GroupMessage;
  readonly ack: GroupBatch['ack'];
}

/**
 * The messages that wait for their outcome to be journalled, by event. A message that comes again
 * over a new connection replaces the old one. Acks that fall due together are sent together.
 */
export class Acks {
  private readonly outstanding = new Map<string, Handle>();
  private readonly due = new Map<GroupBatch['ack'], GroupMessage[]>();

  hold(eventId: string, handle: Handle): void {
    this.outstanding.set(eventId, handle);
  }

  /** Whether the event's outcome is on its way into the journal, or still to be made. */
  isHeld(eventId: string): boolean {
    return this.outstanding.has(eventId);
  }

  /** The outcome is in the journal. */
  release(eventId: string): void {
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
   * The connection they came over has ended: what is not acked comes again, here or to the process
   * that has the place then, and its event need not be kept here meanwhile.
   */
  forget(): void {
    this.outstanding.clear();
  }

  private send(): void {
    const groups = [...this.due];
    this.due.clear();
    for (const [ack, messages] of groups) {
      // A message of a broken connection comes again and is recognised then.
      ack(messages).catch(() => undefined);
    }
  }
}
