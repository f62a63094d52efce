import type { Consumer } from './group-state';
import { isPinned, type ConsumerStrategy } from './settings';

/**
 * The reason why no consumer was chosen. `full`: no consumer has a free slot. `busy`: the consumer
 * to which the event is pinned has none.
 */
export type Choice = { readonly index: number } | 'full' | 'busy';

const hasRoom = ({ slots, inFlight }: Consumer): boolean => inFlight < slots;

/** Chooses the consumer of the next event. */
export const chooseConsumer = (
  strategy: ConsumerStrategy,
  consumers: readonly Consumer[],
  pin: number,
): Choice => {
  const index = consumers.findIndex(hasRoom);
  if (index < 0) return 'full';
  if (!isPinned(strategy)) return { index };
  const pinned = findPinnedConsumer(consumers, pin);
  const consumer = consumers[pinned];
  return consumer && hasRoom(consumer) ? { index: pinned } : 'busy';
};

/** EventStoreDB spreads source streams over 1024 buckets. */
const BUCKETS = 1024;

/**
 * Rendezvous hashing: each bucket belongs to the consumer with the highest score for it. A consumer
 * that connects or leaves changes the owner of its own buckets only.
 */
const findPinnedConsumer = (consumers: readonly Consumer[], pin: number): number => {
  let best = 0;
  let bestScore = -1;
  for (const [index, { id }] of consumers.entries()) {
    const score = mixBits((pin % BUCKETS) * 0x9e3779b1 + id);
    if (score > bestScore) {
      best = index;
      bestScore = score;
    }
  }
  return best;
};

const mixBits = (value: number): number => {
  let mixed = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
};

/** Hashes a text with FNV-1a. */
export const hashToPin = (text: string): number => {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash >>> 0;
};

/** Counts the delivery. Round-robin also moves the consumer to the end of the list. */
export const reorderAfterPush = (
  strategy: ConsumerStrategy,
  consumers: readonly Consumer[],
  index: number,
): readonly Consumer[] => {
  const pushed = consumers[index];
  if (!pushed) return consumers;
  const loaded = { ...pushed, inFlight: pushed.inFlight + 1 };
  return strategy === 'RoundRobin'
    ? [...consumers.toSpliced(index, 1), loaded]
    : consumers.with(index, loaded);
};
