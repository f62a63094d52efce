import type { KnownMotion } from './motion.decider';

/** FNV-1a, 32 bits. It distributes ids evenly and needs only arithmetic. */
const computeHash = (text: string): number => {
  let value = 0x811c9dc5;
  for (const char of text) value = Math.imul(value ^ char.charCodeAt(0), 0x01000193) >>> 0;
  return value;
};

/** True if the subscriber is in the motion's holdout. The result never changes for a subscriber. */
export const isHeldOut = ({ id, terms }: KnownMotion, subscriberId: string): boolean =>
  computeHash(`${id} ${subscriberId}`) % 100 < terms.holdout_percent;
