/**
 * The schedule of a fault: at every Nth opportunity, at the next N, at P percent of them, or for a
 * period.
 */
export type FaultSchedule =
  | { readonly every: number }
  | { readonly next: number }
  | { readonly percent: number }
  | { readonly forMs: number };

/** Reads `3`, `next:3`, `2.5%`, `4s` or `500ms`; returns undefined for anything else. */
export const parseSchedule = (text: string): FaultSchedule | undefined => {
  const [, next, number, unit] = /^(next:)?(\d+(?:\.\d+)?)(%|s|ms)?$/.exec(text) ?? [];
  const value = Number(number);
  if (number === undefined || value <= 0) return undefined;
  if (unit === '%') return next === undefined && value <= 100 ? { percent: value } : undefined;
  if (unit !== undefined) {
    return next === undefined ? { forMs: unit === 's' ? value * 1_000 : value } : undefined;
  }
  if (!Number.isInteger(value)) return undefined;
  return next === undefined ? { every: value } : { next: value };
};

/** One fault with its schedule and the opportunities it has seen. */
export class ScheduledFault {
  #seen = 0;
  readonly #startedMs = performance.now();

  constructor(
    private readonly schedule: FaultSchedule,
    private readonly random: () => number,
  ) {}

  strikes(): boolean {
    const { schedule } = this;
    if ('forMs' in schedule) return performance.now() - this.#startedMs < schedule.forMs;
    if ('percent' in schedule) return this.random() * 100 < schedule.percent;
    this.#seen++;
    return 'next' in schedule ? this.#seen <= schedule.next : this.#seen % schedule.every === 0;
  }
}
