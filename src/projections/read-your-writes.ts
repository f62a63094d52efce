import { setTimeout as delay } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import type { Projector } from './projector';

const SCOPES_MAX = 100_000;
const POLL_MS = 15;

/** The projector of another process under the same supervisor. */
export interface RemoteProjector {
  /** Waits until it has projected a position, for which it hurries; answers how far it is then. */
  whenProjected(position: bigint, timeoutMs: number): Promise<bigint>;
}

/**
 * Lets a read that follows a write wait until the read models show it. This process remembers the
 * last position it wrote for each scope; across processes the client sends the position back.
 */
export class ReadYourWrites {
  private readonly written = new LRUCache<string, bigint>({ max: SCOPES_MAX });
  /** The look that all reads which wait by now have in common. */
  private nextLook: Promise<void> | null = null;

  /** The last position that the projector of another process told. */
  private toldTo = -1n;

  constructor(
    private readonly projector: Projector,
    private readonly remote: RemoteProjector | null = null,
  ) {}

  wrote(scope: string, position: bigint): void {
    if ((this.written.get(scope) ?? -1n) < position) this.written.set(scope, position);
  }

  /** Waits for the scope's last write and for `position`, at most `timeoutMs`. */
  async settled(scope: string, position: bigint | null, timeoutMs: number): Promise<void> {
    const written = this.written.get(scope) ?? -1n;
    await this.reached(position !== null && position > written ? position : written, timeoutMs);
  }

  /** Waits until the read models show everything up to a position; false after `timeoutMs`. */
  async reached(position: bigint, timeoutMs: number): Promise<boolean> {
    if (this.toldTo >= position || this.projector.projectedTo() >= position) return true;
    const signal = AbortSignal.timeout(timeoutMs);
    try {
      if (this.projector.isOwner()) await this.projector.whenProjected(position, signal);
      else if (!(await this.ask(position, timeoutMs))) await this.poll(position, signal);
      return true;
    } catch (error) {
      if (signal.aborted) return false;
      throw error;
    }
  }

  /** False while the read models are built from nothing: what they show is not all there is. */
  async isComplete(): Promise<boolean> {
    if (!this.projector.isComplete()) await this.projector.look();
    return this.projector.isComplete();
  }

  /** False where the process that projects cannot be asked, or did not come so far. */
  private async ask(position: bigint, timeoutMs: number): Promise<boolean> {
    if (this.remote === null) return false;
    const told = await this.remote.whenProjected(position, timeoutMs).catch(() => -1n);
    if (told > this.toldTo) this.toldTo = told;
    return this.toldTo >= position;
  }

  /** Another process projects: its checkpoint tells how far it is. */
  private async poll(position: bigint, signal: AbortSignal): Promise<void> {
    while (this.projector.projectedTo() < position) {
      signal.throwIfAborted();
      this.nextLook ??= this.look();
      await this.nextLook;
    }
  }

  private async look(): Promise<void> {
    await delay(POLL_MS);
    this.nextLook = null;
    await this.projector.look();
  }
}
