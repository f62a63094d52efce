/** An event of this process that should be linked into its category by now. */
export interface UnlinkedEvent {
  readonly category: string;
  /** Commit position of the event. */
  readonly position: bigint;
  readonly appendedAtMs: number;
}

/**
 * Whether the category streams follow the log, from positions that the process learns anyway: it keeps
 * one of its appended events until it sees a link that was written after it.
 */
export class LinkProgress {
  private unlinked: UnlinkedEvent | null = null;
  private lastLinkAt = -1n;

  /** The oldest event that no newer link is known of; null where links are known to follow. */
  get waiting(): UnlinkedEvent | null {
    return this.unlinked;
  }

  appended(stream: string, position: bigint): void {
    if (this.unlinked !== null || position <= this.lastLinkAt) return;
    const end = stream.indexOf('-');
    if (end < 0 || stream.startsWith('$')) return;
    this.unlinked = { category: stream.slice(0, end), position, appendedAtMs: Date.now() };
  }

  /** `position`: where in the log the link itself stands. */
  linked(position: bigint): void {
    if (position > this.lastLinkAt) this.lastLinkAt = position;
    if (this.unlinked !== null && position > this.unlinked.position) this.unlinked = null;
  }
}
