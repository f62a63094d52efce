/** The share of the log that a rebuild has read; "–" before it has begun. */
export const formatProgress = ({
  status,
  position,
  target_position: target,
}: {
  readonly status: string;
  readonly position: string;
  readonly target_position: string;
}): string => {
  if (status === 'completed') return '100 %';
  const [done, goal] = [Number(position), Number(target)];
  // Before its first event, a rebuild is at the position -1.
  return done < 0 || goal === 0 ? '–' : `${Math.min(100, Math.floor((done / goal) * 100))} %`;
};
