import type { KnownMotion } from './motion.decider';

/** FNV-1a, 32 bits: spreads ids evenly and needs nothing but arithmetic. */
const hash = (text: string): number => {
  let value = 0x811c9dc5;
  for (const char of text) value = Math.imul(value ^ char.charCodeAt(0), 0x01000193) >>> 0;
  return value;
};

/** The same subscriber is always in, or always out of, a motion's holdout. */
export const isHeldOut = ({ id, terms }: KnownMotion, subscriberId: string): boolean =>
  hash(`${id} ${subscriberId}`) % 100 < terms.holdout_percent;
