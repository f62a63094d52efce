import type { Answer } from './messages';

interface PendingCall {
  readonly resolve: (payload: unknown) => void;
  readonly reject: (error: Error) => void;
}

/** Calls that were sent to another process and have not been answered yet. */
export class Calls {
  private readonly waiting = new Map<number, PendingCall>();
  private lastId = 0;

  send(send: (id: number) => void): Promise<unknown> {
    const id = ++this.lastId;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject });
      send(id);
    });
  }

  finish({ id, payload, error }: Answer): void {
    const call = this.waiting.get(id);
    this.waiting.delete(id);
    if (error === undefined) call?.resolve(payload);
    else call?.reject(new Error(error));
  }

  /** Rejects all open calls, because the other process has ended. */
  fail(reason: string): void {
    for (const { reject } of this.waiting.values()) reject(new Error(reason));
    this.waiting.clear();
  }
}
