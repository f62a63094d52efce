/** An event of this process that should have a link in its category. */
export interface UnlinkedEvent {
  readonly category: string;
  /** Commit position of the event. */
  readonly position: bigint;
  readonly appendedAtMs: number;
}

/**
 * Tracks whether category streams are written, from positions that the process knows anyway. It
 * keeps one of its appended events until it sees a link that was written after it.
 */
export class LinkProgress {
  private oldestUnlinked: UnlinkedEvent | null = null;
  private lastLinkPosition = -1n;

  /** The oldest event without a newer link; null if links are known to be written. */
  get waiting(): UnlinkedEvent | null {
    return this.oldestUnlinked;
  }

  recordAppend(stream: string, position: bigint): void {
    if (this.oldestUnlinked !== null || position <= this.lastLinkPosition) return;
    const end = stream.indexOf('-');
    if (end < 0 || stream.startsWith('$')) return;
    this.oldestUnlinked = { category: stream.slice(0, end), position, appendedAtMs: Date.now() };
  }

  /** Records a link; `position` is the position of the link itself in the log. */
  recordLink(position: bigint): void {
    if (position > this.lastLinkPosition) this.lastLinkPosition = position;
    if (this.oldestUnlinked !== null && position > this.oldestUnlinked.position)
      this.oldestUnlinked = null;
  }
}
