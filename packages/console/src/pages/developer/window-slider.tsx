import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { useLoaded } from '../../api/load';
import { service } from '../../api/service';
import { TextField } from '../../ui/form';
import { formatDate, formatNumber } from '../../ui/format';

const DAY_MS = 86_400_000;
/** The number of days in 24 months. The service refuses older windows. */
const WINDOW_DAYS = 730;
const WIDTH = WINDOW_DAYS;
const HEIGHT = 64;
/** Number of days for each bar. Bars of single days would be narrower than a pixel. */
const BAR_DAYS = 5;

const PRESETS = [
  [1, '24 hours'],
  [7, '7 days'],
  [30, '30 days'],
  [WINDOW_DAYS, '24 months'],
] as const;

/** A window as two instants. */
type Window = Readonly<Record<'from' | 'to', string>>;

/**
 * Chooses a window of the last 24 months in a bar chart of the number of events. The window is
 * reported when a slider is released, not while it moves.
 */
export const WindowSlider = ({
  onWindow,
  ...window
}: Window & { readonly onWindow: (window: Window) => void }): JSX.Element => {
  const [now] = useState(() => Date.now());
  const [moving, setMoving] = useState<Window | null>(null);
  const { from, to } = moving ?? window;
  const begin = now - WINDOW_DAYS * DAY_MS;
  const toDay = (iso: string): number =>
    Math.max(0, Math.min(WINDOW_DAYS, Math.round((new Date(iso).getTime() - begin) / DAY_MS)));
  const toIso = (day: number): string => new Date(begin + day * DAY_MS).toISOString();
  const first = toDay(from);
  const last = toDay(to);
  const moveTo = (day: number, isFirst: boolean): Window =>
    isFirst
      ? { from: toIso(Math.max(0, Math.min(day, last - 1))), to }
      : { from, to: toIso(Math.min(WINDOW_DAYS, Math.max(day, first + 1))) };
  const chooseDate = (text: string, isFirst: boolean): void => {
    if (text !== '') onWindow(moveTo(toDay(`${text}T00:00:00Z`), isFirst));
  };
  return (
    <fieldset class="field plain">
      <legend>Window</legend>
      <div class="row">
        {PRESETS.map(([days, title]) => (
          <button
            type="button"
            class="button small"
            aria-pressed={last === WINDOW_DAYS && first === WINDOW_DAYS - days}
            onClick={() => {
              onWindow({ from: toIso(WINDOW_DAYS - days), to: toIso(WINDOW_DAYS) });
            }}
          >
            {title}
          </button>
        ))}
      </div>
      <div class="window-slider">
        <EventsPerDay begin={begin} first={first} last={last} />
        {([true, false] as const).map((isFirst) => (
          <input
            type="range"
            aria-label={isFirst ? 'Begin of the window' : 'End of the window'}
            min={0}
            max={WINDOW_DAYS}
            value={isFirst ? first : last}
            aria-valuetext={formatDate(isFirst ? from : to)}
            onInput={(event) => {
              setMoving(moveTo(Number(event.currentTarget.value), isFirst));
            }}
            onChange={(event) => {
              onWindow(moveTo(Number(event.currentTarget.value), isFirst));
              setMoving(null);
            }}
          />
        ))}
      </div>
      <div class="row spread small muted" aria-hidden="true" style="margin-top:10px">
        <span>{formatDate(toIso(0))}</span>
        <span>today</span>
      </div>
      <div class="grid-2 tight">
        <TextField
          label="From (UTC)"
          type="date"
          value={from.slice(0, 10)}
          onValue={(text) => {
            chooseDate(text, true);
          }}
        />
        <TextField
          label="To (UTC)"
          type="date"
          value={to.slice(0, 10)}
          onValue={(text) => {
            chooseDate(text, false);
          }}
        />
      </div>
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
}): JSX.Element => {
  const { state } = useLoaded(`counts/${begin}`, (signal) =>
    service().events.counts(
      { granularity: 'day', created_after: new Date(begin).toISOString() },
      { signal },
    ),
  );
  const bars = new Map<number, number>();
  for (const { timestamp, count } of state.kind === 'ready' ? state.value.points : []) {
    const day = Math.max(0, Math.floor((Date.parse(timestamp) - begin) / DAY_MS));
    const bar = Math.min(WINDOW_DAYS - 1, day) - (Math.min(WINDOW_DAYS - 1, day) % BAR_DAYS);
    bars.set(bar, (bars.get(bar) ?? 0) + count);
  }
  const most = Math.max(1, ...bars.values());
  const total = [...bars.values()].reduce((sum, count) => sum + count, 0);
  return (
    <svg
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      width="100%"
      height={HEIGHT}
      preserveAspectRatio="none"
      role="img"
      aria-label={`${formatNumber(total)} events in 24 months`}
    >
      <rect x={first} y={0} width={last - first} height={HEIGHT} fill="var(--accent-soft)" />
      {[...bars].map(([day, count]) => (
        <rect
          x={day}
          width={BAR_DAYS - 1}
          // The square root of the count is drawn, so that a quiet week stays visible beside a busy
          // one.
          y={HEIGHT - Math.sqrt(count / most) * (HEIGHT - 4)}
          height={Math.sqrt(count / most) * (HEIGHT - 4)}
          fill={day + BAR_DAYS > first && day < last ? 'var(--accent)' : 'var(--line-strong)'}
        />
      ))}
      <rect y={HEIGHT - 1} width={WIDTH} height={1} fill="var(--line-strong)" />
    </svg>
  );
};
