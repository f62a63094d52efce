import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { useLoaded } from '../../api/load';
import { service } from '../../api/service';
import { TextField } from '../../ui/form';
import { formatDay, formatMonth, formatNumber } from '../../ui/format';

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

const toIso = (ms: number): string => new Date(ms).toISOString();

/** The beginning of the oldest day that can be replayed, in UTC. The newest day is today. */
const findFirstDay = (now: number): number => (Math.floor(now / DAY_MS) + 1 - WINDOW_DAYS) * DAY_MS;

/** Returns what is wrong with a window, for the field of its first day; null if nothing is. */
export const describeWindowError = ({ from, to }: Window): string | null => {
  const now = Date.now();
  if (Date.parse(from) < findFirstDay(now))
    return `Events are kept for 24 months. Choose ${toIso(findFirstDay(now)).slice(0, 10)} or later.`;
  if (from >= to) return 'The first day must not be after the last day.';
  return Date.parse(from) > now ? 'This day has not come yet.' : null;
};

/**
 * Chooses a window of the last 24 months in a bar chart of the number of events. The window is
 * reported when a slider is released, not while it moves. Chosen days are whole days in UTC.
 */
export const WindowSlider = ({
  onWindow,
  ...window
}: Window & { readonly onWindow: (window: Window) => void }): JSX.Element => {
  const [now] = useState(() => Date.now());
  const [moving, setMoving] = useState<Window | null>(null);
  const { from, to } = moving ?? window;
  const begin = findFirstDay(now);
  const toDay = (ms: number): number => Math.max(0, Math.min(WINDOW_DAYS, (ms - begin) / DAY_MS));
  const first = Math.floor(toDay(Date.parse(from)));
  const last = Math.ceil(toDay(Date.parse(to)));
  const moveTo = (day: number, isFirst: boolean): Window =>
    isFirst
      ? { from: toIso(begin + Math.min(day, last - 1) * DAY_MS), to }
      : { from, to: toIso(begin + Math.max(day, first + 1) * DAY_MS - 1) };
  return (
    <fieldset class="field plain">
      <legend>Window</legend>
      <div class="row">
        {PRESETS.map(([days, title]) => {
          const preset = { from: toIso(Math.max(begin, now - days * DAY_MS)), to: toIso(now) };
          return (
            <button
              type="button"
              class="button small"
              aria-pressed={findLength({ from, to }) === findLength(preset)}
              onClick={() => {
                onWindow(preset);
              }}
            >
              {title}
            </button>
          );
        })}
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
            aria-valuetext={formatDay(isFirst ? from : to)}
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
      <div class="row spread small muted" aria-hidden="true">
        <span>{formatMonth(toIso(begin))}</span>
        <span>today</span>
      </div>
      <div class="grid-2 tight">
        <DayField
          label="From (UTC)"
          day={from.slice(0, 10)}
          error={describeWindowError({ from, to })}
          onDay={(day) => {
            onWindow({ from: `${day}T00:00:00.000Z`, to });
          }}
        />
        <DayField
          label="To (UTC)"
          day={to.slice(0, 10)}
          onDay={(day) => {
            onWindow({ from, to: `${day}T23:59:59.999Z` });
          }}
        />
      </div>
    </fieldset>
  );
};

const findLength = ({ from, to }: Window): number => Date.parse(to) - Date.parse(from);

/** A field for a day. It keeps what is typed, and reports complete days only. */
const DayField = ({
  label,
  day,
  error = null,
  onDay,
}: {
  label: string;
  day: string;
  error?: string | null;
  onDay: (day: string) => void;
}): JSX.Element => {
  const [typed, setTyped] = useState(day);
  useEffect(() => {
    // While a person types in a field of a day, the reported day may be older than what is typed.
    if (document.activeElement?.matches('[type=date]') !== true) setTyped(day);
  }, [day]);
  return (
    <TextField
      label={label}
      type="date"
      required
      value={typed}
      error={error}
      onValue={(text) => {
        setTyped(text);
        if (text !== '') onDay(text);
      }}
    />
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
    service().events.counts({ granularity: 'day', created_after: toIso(begin) }, { signal }),
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
      <rect
        x={first}
        y={0}
        width={Math.max(0, last - first)}
        height={HEIGHT}
        fill="var(--accent-soft)"
      />
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
