const BAR_WIDTH = 30;
/**
 * Number of samples from which the rate is computed. It is small, so that the rate is the current
 * one and not the average of the whole run.
 */
const SAMPLES_MAX = 20;

interface Counts {
  readonly done: number;
  readonly failed: number;
  readonly total: number;
}

/** Formats a progress bar, and a text with the rate and the time left. */
export class Progress {
  private readonly samples: { readonly atMs: number; readonly done: number }[] = [];

  format({ done, failed, total }: Counts, nowMs: number): { bar: string; text: string } {
    this.samples.push({ atMs: nowMs, done });
    if (this.samples.length > SAMPLES_MAX) this.samples.shift();
    const share = total === 0 ? 1 : done / total;
    const rate = this.computeRatePerSecond();
    const parts = [
      `${Math.floor(share * 100)} %`,
      `${done.toLocaleString('en')} of ${total.toLocaleString('en')}`,
      ...(failed > 0 ? [`${failed.toLocaleString('en')} failed`] : []),
      ...(rate > 0 ? [`${formatRate(rate)}/s`] : []),
      ...(rate > 0 && done < total ? [`${formatTime((total - done) / rate)} left`] : []),
    ];
    return { bar: formatBar(share), text: parts.join('  ') };
  }

  private computeRatePerSecond(): number {
    const first = this.samples[0];
    const last = this.samples.at(-1);
    if (first === undefined || last === undefined || last.atMs === first.atMs) return 0;
    return ((last.done - first.done) * 1_000) / (last.atMs - first.atMs);
  }
}

/** Formats the done share, from 0 to 1, as a bar. */
export const formatBar = (share: number): string => {
  const filled = Math.round(share * BAR_WIDTH);
  return '█'.repeat(filled) + '░'.repeat(BAR_WIDTH - filled);
};

/** Formats a rate. A rate below one event per second is shown with one decimal place. */
const formatRate = (rate: number): string =>
  rate < 1 ? rate.toFixed(1) : Math.round(rate).toLocaleString('en');

const formatTime = (seconds: number): string => {
  const whole = Math.ceil(seconds);
  if (whole < 60) return `${whole} s`;
  if (whole < 3_600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  return `${Math.floor(whole / 3_600)} h ${Math.floor((whole % 3_600) / 60)} min`;
};
