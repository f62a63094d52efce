import type { CallHandler, Siblings } from '../../config/siblings';
import { waitWithTimeLimit } from '../../ops/within';
import { Calls } from './calls';
import type { ReadyFacts, ToChild, ToSupervisor } from './messages';

/**
 * Limit of a call to all processes. A process that hangs is left out, and the responses of the
 * others arrive in time: Prometheus waits 10 s for the metrics.
 */
const CALL_ALL_TIMEOUT_MS = 9_000;

/** The channel of a process to its supervisor. */
export class Supervised implements Siblings {
  /** Resolves when the supervisor asks for a stop. */
  readonly stopped: Promise<void>;
  private readonly calls = new Calls();
  private readonly handlers = new Map<string, CallHandler>();
  private ready: readonly string[] = [];
  private away: readonly string[] = [];

  constructor(readonly name: string) {
    let stop!: () => void;
    this.stopped = new Promise((resolve) => (stop = resolve));
    process.on('message', (message: ToChild) => {
      this.receive(message, stop);
    });
    // The supervisor has died. Another one may start on the same data, which must be free then.
    process.on('disconnect', () => process.exit(1));
  }

  reportReady(facts: ReadyFacts): void {
    this.send({ kind: 'ready', ...facts });
  }

  listMissing(): readonly string[] {
    return this.away.filter((name) => name !== this.name);
  }

  call(to: string, what: string, payload?: unknown): Promise<unknown> {
    return this.calls.send((id) => {
      this.send({ kind: 'call', id, to, what, payload });
    });
  }

  async callAll(what: string, payload?: unknown): Promise<ReadonlyMap<string, unknown>> {
    const others = this.ready.filter((name) => name !== this.name);
    const answers = await Promise.allSettled(
      others.map(async (name) => {
        const answer = await waitWithTimeLimit(CALL_ALL_TIMEOUT_MS, this.call(name, what, payload));
        return [name, answer] as const;
      }),
    );
    return new Map(
      answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : [])),
    );
  }

  answer(what: string, handler: CallHandler): void {
    this.handlers.set(what, handler);
  }

  private receive(message: ToChild, stop: () => void): void {
    switch (message.kind) {
      case 'stop':
        stop();
        return;
      case 'processes':
        this.ready = message.ready;
        this.away = message.missing;
        return;
      case 'answer':
        this.calls.finish(message);
        return;
      case 'call':
        void this.answerCall(message);
    }
  }

  private async answerCall({ id, what, payload }: ToChild & { kind: 'call' }): Promise<void> {
    try {
      const handler = this.handlers.get(what);
      if (handler === undefined)
        throw new Error(`The process ${this.name} does not know "${what}".`);
      this.send({ kind: 'answer', id, payload: await handler(payload) });
    } catch (error) {
      this.send({
        kind: 'answer',
        id,
        error: error instanceof Error ? error.message : String(error),
      });
    }
  }

  /** A message that cannot be sent is dropped, because the end of the channel ends the process. */
  private send(message: ToSupervisor): void {
    if (process.connected) process.send?.(message, undefined, undefined, () => undefined);
  }
}
