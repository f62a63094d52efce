import { DAY_MS, fromMillis, type Instant, toMillis } from '../../kernel/time';

/** The time zone in which days begin: UTC or a zone of the IANA database. */
export interface Zone {
  readonly name: string;
  /** Returns the calendar day of an instant in this zone. */
  readonly dayOf: (at: Instant) => string;
  /** Returns the instant at which a day begins in this zone. */
  readonly startOf: (day: string) => Instant;
}

export const UTC: Zone = {
  name: 'UTC',
  dayOf: (at) => at.slice(0, 10),
  startOf: (day) => `${day}T00:00:00.000Z` as Instant,
};

/**
 * Size limit of the cache. Formatting takes a microsecond, and events of one day are often
 * adjacent.
 */
const REMEMBERED_MAX = 1_000;

/** Returns the zone of a name, or null if there is none. */
export const findZone = (name: string): Zone | null => {
  if (name === UTC.name) return UTC;
  const format = createFormat(name);
  return format === null ? null : createZone(name, format);
};

const createFormat = (timeZone: string): Intl.DateTimeFormat | null => {
  try {
    return new Intl.DateTimeFormat('en-CA', {
      timeZone,
      calendar: 'gregory',
      numberingSystem: 'latn',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
    });
  } catch {
    return null;
  }
};

const QUARTER_MS = 15 * 60_000;

const createZone = (name: string, format: Intl.DateTimeFormat): Zone => {
  const known = new Map<number, string>();
  const toDayAt = (ms: number): string => {
    // Offsets from UTC are multiples of 15 minutes, so all instants of one quarter hour are in one
    // day.
    const quarter = Math.floor(ms / QUARTER_MS);
    const found = known.get(quarter);
    if (found !== undefined) return found;
    if (known.size >= REMEMBERED_MAX) known.clear();
    const day = format.format(quarter * QUARTER_MS);
    known.set(quarter, day);
    return day;
  };
  return {
    name,
    dayOf: (at) => toDayAt(toMillis(at)),
    startOf: (day) => fromMillis(findDayStart(day, toDayAt)),
  };
};

/**
 * Returns the first quarter hour of a day. Midnight may not exist on a day when the clocks change.
 */
const findDayStart = (day: string, dayAt: (ms: number) => string): number => {
  const noon = toMillis(`${day}T12:00:00.000Z` as Instant);
  let [before, after] = [noon - 2 * DAY_MS, noon + 2 * DAY_MS];
  while (after - before > QUARTER_MS) {
    const middle = before + Math.floor((after - before) / 2 / QUARTER_MS) * QUARTER_MS;
    if (dayAt(middle) < day) before = middle;
    else after = middle;
  }
  return after;
};
