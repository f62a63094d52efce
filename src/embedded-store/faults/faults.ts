/**
 * Faults that tests ask for, to show that an application survives them; none happens unasked. Each
 * strikes at every Nth opportunity, so that a run is repeatable.
 */
export const FAULTS = {
  'drop-connection': 'every Nth append: all connections break after the commit, before the answer',
  'timeout-after-commit': 'every Nth append: committed, but answered as timed out',
  'not-leader': 'every Nth call that reads, writes or subscribes: refused, naming this server',
  'drop-group': 'every Nth ack of a persistent subscription: taken, then its clients are dropped',
  'duplicate-delivery': 'every Nth delivery to a persistent subscription: sent twice',
} as const;

export type FaultName = keyof typeof FAULTS;

/** At which opportunity each fault strikes; 1 is always. */
export type FaultPlan = ReadonlyMap<FaultName, number>;

export const isFaultName = (name: string): name is FaultName => Object.hasOwn(FAULTS, name);

export class Faults {
  readonly #seen = new Map<FaultName, number>();

  constructor(private readonly plan: FaultPlan = new Map()) {}

  /** Counts an opportunity, and tells whether this is one the fault strikes at. */
  strikes(name: FaultName): boolean {
    const every = this.plan.get(name);
    if (every === undefined) return false;
    const seen = (this.#seen.get(name) ?? 0) + 1;
    this.#seen.set(name, seen % every);
    return seen === every;
  }
}
