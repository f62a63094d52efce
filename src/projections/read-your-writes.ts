import { setTimeout as delay } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import type { Projector } from './projector';

const SCOPES_MAX = 100_000;
const POLL_MS = 15;

/** The projector of another process under the same supervisor. */
export interface RemoteProjector {
  /**
   * Waits until the projector has projected a position; it shortens its pauses meanwhile. Resolves
   * to the position that it has reached then.
   */
  waitUntilProjected(position: bigint, timeoutMs: number): Promise<bigint>;
}

/**
 * Lets a read that follows a write wait until the read models show the write. This process
 * remembers the last position that it wrote for each scope. For other processes the client sends
 * the position back.
 */
export class ReadYourWrites {
  private readonly written = new LRUCache<string, bigint>({ max: SCOPES_MAX });
  /** The next read of the checkpoint, which all waiting callers share. */
  private nextRefresh: Promise<void> | null = null;

  /** The last position that the projector of another process reported. */
  private reportedPosition = -1n;

  constructor(
    private readonly projector: Projector,
    private readonly remote: RemoteProjector | null = null,
  ) {}

  recordWrite(scope: string, position: bigint): void {
    if ((this.written.get(scope) ?? -1n) < position) this.written.set(scope, position);
  }

  /**
   * Waits until the read models show the scope's last write and `position`, at most `timeoutMs`.
   */
  async waitForWrites(scope: string, position: bigint | null, timeoutMs: number): Promise<void> {
    const written = this.written.get(scope) ?? -1n;
    await this.waitUntilReached(
      position !== null && position > written ? position : written,
      timeoutMs,
    );
  }

  /**
   * Waits until the read models show everything up to a position. Returns false after `timeoutMs`.
   */
  async waitUntilReached(position: bigint, timeoutMs: number): Promise<boolean> {
    if (this.reportedPosition >= position) return true;
    if (this.projector.projectedTo() >= position) return true;
    const signal = AbortSignal.timeout(timeoutMs);
    try {
      if (this.projector.isOwner()) await this.projector.waitUntilProjected(position, signal);
      else if (!(await this.askRemote(position, timeoutMs))) await this.poll(position, signal);
      return true;
    } catch (error) {
      if (signal.aborted) return false;
      throw error;
    }
  }

  /**
   * Returns false while the read models are being built from an empty state and so are incomplete.
   */
  async isComplete(): Promise<boolean> {
    if (!this.projector.isComplete()) await this.projector.refreshCheckpoint();
    return this.projector.isComplete();
  }

  /** Returns false if the projecting process cannot be asked or did not reach the position. */
  private async askRemote(position: bigint, timeoutMs: number): Promise<boolean> {
    if (this.remote === null) return false;
    const reported = await this.remote
      .waitUntilProjected(position, timeoutMs)
      .catch(() => this.reportedPosition);
    if (reported > this.reportedPosition) this.reportedPosition = reported;
    return this.reportedPosition >= position;
  }

  /** Reads the checkpoint at intervals, because another process projects. */
  private async poll(position: bigint, signal: AbortSignal): Promise<void> {
    while (this.projector.projectedTo() < position) {
      signal.throwIfAborted();
      this.nextRefresh ??= this.refreshSoon();
      await this.nextRefresh;
    }
  }

  private async refreshSoon(): Promise<void> {
    await delay(POLL_MS);
    this.nextRefresh = null;
    await this.projector.refreshCheckpoint();
  }
}
