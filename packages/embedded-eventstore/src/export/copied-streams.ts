/**
 * Decides by a stream's name whether an export copies its events. The target makes its own links of
 * system projections, its own users, checkpoints and configuration. The export creates persistent
 * subscriptions and stream metadata with calls of their own (export.ts). Parked events are copied,
 * because they are links like any others.
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
