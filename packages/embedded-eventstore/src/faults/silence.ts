import type { Faults } from './faults';

/** The interval in ms at which the gate checks whether the silence is over. */
const CHECK_INTERVAL_MS = 50;

/**
 * Everything that the server sends passes this gate. During the fault `silence` the gate holds it
 * back and releases it afterwards in the same order. Connections stay open and HTTP/2 pings are
 * answered, so only a time limit of the client can detect the silence.
 */
export class SilenceGate {
  #held: (() => void)[] = [];

  constructor(private readonly faults: Faults) {}

  pass(send: () => void): void {
    if (this.#held.length > 0) this.#held.push(send);
    else if (!this.faults.strikes('silence')) send();
    else {
      this.#held.push(send);
      this.releaseLater();
    }
  }

  private releaseLater(): void {
    setTimeout(() => {
      if (this.faults.strikes('silence')) {
        this.releaseLater();
        return;
      }
      const held = this.#held;
      this.#held = [];
      for (const send of held) send();
    }, CHECK_INTERVAL_MS).unref();
  }
}
