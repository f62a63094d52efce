import type { JSX } from 'preact';
import { useId } from 'preact/hooks';
import { useLoaded } from '../../api/load';
import { service } from '../../api/service';
import { formatDate, formatNumber } from '../../ui/format';

const DAY_MS = 86_400_000;
/** The days of 24 months; the service refuses what is older to the second. */
const DAYS = 730;
const WIDTH = 730;
const HEIGHT = 56;

interface Window {
  readonly from: string;
  readonly to: string;
}

/** Chooses a window of the last 24 months on a picture of how many events each day had. */
export const WindowSlider = ({
  now,
  from,
  to,
  onWindow,
}: Window & { now: number; onWindow: (window: Window) => void }): JSX.Element => {
  const id = useId();
  const begin = now - DAYS * DAY_MS;
  const dayOf = (iso: string): number =>
    Math.max(0, Math.min(DAYS, Math.round((new Date(iso).getTime() - begin) / DAY_MS)));
  const isoOf = (day: number): string => new Date(begin + day * DAY_MS).toISOString();
  const first = dayOf(from);
  const last = dayOf(to);
  return (
    <fieldset class="field" style="border:0;padding:0;margin:0">
      <legend class="label" style="padding:0;font-weight:550">
        Window
      </legend>
      <EventsPerDay begin={begin} first={first} last={last} />
      <label for={`${id}-from`}>From {formatDate(from)}</label>
      <input
        id={`${id}-from`}
        type="range"
        min={0}
        max={DAYS}
        value={first}
        aria-valuetext={formatDate(from)}
        onInput={(event) => {
          const day = Math.min(Number(event.currentTarget.value), last - 1);
          onWindow({ from: isoOf(Math.max(0, day)), to });
        }}
      />
      <label for={`${id}-to`}>To {formatDate(to)}</label>
      <input
        id={`${id}-to`}
        type="range"
        min={0}
        max={DAYS}
        value={last}
        aria-valuetext={formatDate(to)}
        onInput={(event) => {
          const day = Math.max(Number(event.currentTarget.value), first + 1);
          onWindow({ from, to: isoOf(day) });
        }}
      />
    </fieldset>
  );
};

const EventsPerDay = ({
  begin,
  first,
  last,
}: {
  begin: number;
  first: number;
  last: number;
}): JSX.Element | null => {
  const { state } = useLoaded(`counts/${begin}`, (signal) =>
    service().events.counts(
      { granularity: 'day', created_after: new Date(begin).toISOString() },
      { signal },
    ),
  );
  if (state.kind !== 'ready') return null;
  const counts = state.value.points.map(({ timestamp, count }) => ({
    day: Math.floor((new Date(timestamp).getTime() - begin) / DAY_MS),
    count,
  }));
  const most = Math.max(1, ...counts.map(({ count }) => count));
  const total = counts.reduce((sum, { count }) => sum + count, 0);
  return (
    <svg
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      width="100%"
      height={HEIGHT}
      preserveAspectRatio="none"
      role="img"
      aria-label={`${formatNumber(total)} events in 24 months`}
    >
      {counts.map(({ day, count }) => (
        <rect
          x={day}
          width={1}
          y={HEIGHT - (count / most) * HEIGHT}
          height={(count / most) * HEIGHT}
          fill={day >= first && day < last ? 'var(--accent)' : 'var(--line-strong)'}
        />
      ))}
    </svg>
  );
};
