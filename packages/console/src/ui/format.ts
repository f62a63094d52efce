import { countDigits } from './money';

/** Formats for people: local time with its zone, money in its currency, whole numbers with separators. */
const time = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'long' });
const clock = new Intl.DateTimeFormat(undefined, {
  hour: 'numeric',
  minute: '2-digit',
  timeZoneName: 'short',
});
const date = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' });
const whole = new Intl.NumberFormat();
const short = new Intl.NumberFormat(undefined, { notation: 'compact', maximumFractionDigits: 1 });

export const formatTime = (iso: string): string => time.format(new Date(iso));
export const formatDate = (iso: string): string => date.format(new Date(iso));
/** Formats the time of day with its zone: "7:00 PM EST". */
export const formatClock = (iso: string): string => clock.format(new Date(iso));
export const formatUtc = (iso: string): string =>
  `${new Date(iso).toISOString().replace('T', ' ').slice(0, 23)} UTC`;
export const formatNumber = (value: number): string => whole.format(value);
/** Formats a number of things: "1 event", "2 events". */
export const formatCount = (count: number, noun: string): string =>
  `${formatNumber(count)} ${noun}${count === 1 ? '' : 's'}`;
export const formatNumberShort = (value: number): string => short.format(value);
export const formatShare = (value: number): string =>
  `${(value * 100).toFixed(value === 1 || value === 0 ? 0 : 1)} %`;
/** Formats a difference of two shares in percentage points: "+2.5 pts". */
export const formatPoints = (value: number): string =>
  `${value > 0 ? '+' : ''}${(value * 100).toFixed(1)} pts`;
/** Formats a day, in UTC or in the given time zone: "Nov 3". */
export const formatDay = (iso: string, timeZone = 'UTC'): string =>
  getFormatter({ month: 'short', day: 'numeric', timeZone }).format(new Date(iso));
/** Formats a month: "Nov 2026". */
export const formatMonth = (iso: string, timeZone = 'UTC'): string =>
  getFormatter({ month: 'short', year: 'numeric', timeZone }).format(new Date(iso));

const formatters = new Map<string, Intl.DateTimeFormat>();

/** Formatters are cached, because creating one takes longer than using it a hundred times. */
const getFormatter = (options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat => {
  const key = JSON.stringify(options);
  const known = formatters.get(key) ?? new Intl.DateTimeFormat(undefined, options);
  formatters.set(key, known);
  return known;
};

/** Formats an amount of minor units, as the API has them. */
export const formatMoney = (amount: number, currency: string): string =>
  new Intl.NumberFormat(undefined, { style: 'currency', currency }).format(
    toMajorUnits(amount, currency),
  );

/** "$1.2K", for axes. */
export const formatMoneyShort = (amount: number, currency: string): string =>
  new Intl.NumberFormat(undefined, {
    style: 'currency',
    currency,
    notation: 'compact',
    maximumFractionDigits: 1,
    minimumFractionDigits: 0,
  }).format(toMajorUnits(amount, currency));

const toMajorUnits = (amount: number, currency: string): number =>
  amount / 10 ** countDigits(currency);

/** Times further away than this are shown as dates. */
const RELATIVE_DAYS_MAX = 31;

const STEPS: readonly (readonly [number, Intl.RelativeTimeFormatUnit])[] = [
  [60, 'second'],
  [60, 'minute'],
  [24, 'hour'],
  [RELATIVE_DAYS_MAX, 'day'],
];
const relative = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto', style: 'short' });

/** Formats a time relative to now: "3 min ago", "in 2 days", "Nov 3, 2027". */
export const formatRelative = (iso: string, now: number): string => {
  let value = (new Date(iso).getTime() - now) / 1000;
  for (const [size, unit] of STEPS) {
    if (Math.abs(value) < size) return relative.format(Math.round(value), unit).replace('.', '');
    value /= size;
  }
  return formatDate(iso);
};

/** Durations below this have minutes and seconds. */
const SECONDS_BELOW_MS = 600_000;

/** Formats a duration: "1.2 s", "340 ms", "1 min 15 s", "30 min". */
export const formatDuration = (ms: number): string => {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`;
  if (ms < SECONDS_BELOW_MS) {
    const seconds = Math.floor((ms % 60_000) / 1000);
    return `${Math.floor(ms / 60_000)} min${seconds === 0 ? '' : ` ${seconds} s`}`;
  }
  if (ms < 3_600_000) return `${Math.round(ms / 60_000)} min`;
  return `${(ms / 3_600_000).toFixed(1)} h`;
};
