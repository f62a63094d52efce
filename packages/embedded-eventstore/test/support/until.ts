import { setTimeout as delay } from 'node:timers/promises';

const POLL_MS = 10;
const WAIT_LIMIT_MS = 30_000;

/** Waits until the condition holds and returns its value. It fails with the last value. */
export const until = async <T>(
  what: string,
  condition: () => T | Promise<T>,
  waitLimitMs = WAIT_LIMIT_MS,
): Promise<NonNullable<T>> => {
  const giveUpAt = Date.now() + waitLimitMs;
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
  throw new Error(`waited ${waitLimitMs} ms in vain for ${what}; last: ${String(last)}`);
};
