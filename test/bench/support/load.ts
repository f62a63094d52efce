import { setTimeout as delay } from 'node:timers/promises';

/**
 * Runs `work` `count` times with `concurrency` runs in flight. Returns the duration of each in ms.
 */
export const runClosedLoop = async (
  count: number,
  concurrency: number,
  work: (i: number) => Promise<unknown>,
): Promise<{ seconds: number; latenciesMs: number[] }> => {
  const latenciesMs: number[] = [];
  let next = 0;
  const startedAt = performance.now();
  const runClient = async (): Promise<void> => {
    while (next < count) {
      const i = next;
      next += 1;
      const begunAt = performance.now();
      await work(i);
      latenciesMs.push(performance.now() - begunAt);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, runClient));
  return { seconds: (performance.now() - startedAt) / 1000, latenciesMs };
};

/** Starts `work` at a fixed rate, independent of the responses (open loop). */
export const openLoop = async (
  count: number,
  ratePerSecond: number,
  work: (i: number) => Promise<unknown>,
): Promise<{ seconds: number; latenciesMs: number[] }> => {
  const latenciesMs: number[] = [];
  const running: Promise<unknown>[] = [];
  const startedAt = performance.now();
  for (let i = 0; i < count; i += 1) {
    const dueAt = startedAt + (i * 1000) / ratePerSecond;
    const waitMs = dueAt - performance.now();
    if (waitMs > 1) await delay(waitMs);
    // The latency counts from the scheduled time, so that a late start does not hide a stalled
    // service.
    running.push(work(i).then(() => latenciesMs.push(performance.now() - dueAt)));
  }
  await Promise.all(running);
  return { seconds: (performance.now() - startedAt) / 1000, latenciesMs };
};

export const computePercentile = (values: readonly number[], p: number): number => {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor((p / 100) * sorted.length))] ?? NaN;
};

export const formatLatencies = (values: readonly number[]): string =>
  `p50 ${computePercentile(values, 50).toFixed(1)} ms, p99 ${computePercentile(values, 99).toFixed(1)} ms`;

export const formatRate = (count: number, seconds: number): string =>
  `${Math.round(count / seconds).toLocaleString('en')}/s`;
