/**
 * Decides by its name whether an export copies a stream. The target makes its own links (system
 * projections), users, checkpoints and configuration; groups and stream metadata are carried over by
 * their meaning (export.ts). Parked events are copied: they are links like any others.
 */
const MADE_BY_THE_TARGET = [
  '$ce-',
  '$et-',
  '$bc-',
  '$category-',
  '$streams',
  '$user-',
  '$users',
  '$$',
];

const OF_GROUPS = '$persistent';

export const isCopied = (streamName: string): boolean => {
  if (streamName.startsWith(OF_GROUPS)) return streamName.endsWith('-parked');
  return !MADE_BY_THE_TARGET.some((prefix) => streamName.startsWith(prefix));
};
