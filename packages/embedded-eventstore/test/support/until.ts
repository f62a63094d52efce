import { setTimeout as delay } from 'node:timers/promises';

const POLL_MS = 10;
const PATIENCE_MS = 30_000;

/** Waits until the condition holds and returns its value. It fails with the last value. */
export const until = async <T>(
  what: string,
  condition: () => T | Promise<T>,
  patienceMs = PATIENCE_MS,
): Promise<NonNullable<T>> => {
  const giveUpAt = Date.now() + patienceMs;
  let last: unknown;
  while (Date.now() < giveUpAt) {
    try {
      const value = await condition();
      if (value !== false && value !== null && value !== undefined) return value;
      last = value;
    } catch (error) {
      last = error;
    }
    await delay(POLL_MS);
  }
  throw new Error(`waited ${patienceMs} ms in vain for ${what}; last: ${String(last)}`);
};
