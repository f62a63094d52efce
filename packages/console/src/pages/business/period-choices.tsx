import type { JSX } from 'preact';
import { Choice } from '../../ui/choice';
import { DateChoice } from '../../ui/date-choice';
import { useQuery } from '../../ui/query';
import { readPeriod, WINDOWS } from './metric-window';

const zoneHere = Intl.DateTimeFormat().resolvedOptions().timeZone;
const ZONES = [
  ...new Set([zoneHere, ...Intl.supportedValuesOf('timeZone')].filter((name) => name !== 'UTC')),
].map((name) => [name, name.replaceAll('_', ' ')] as const);

const CUSTOM_WINDOW = 'own';
const DAYS_SHOWN = 30;
const DAY_MS = 86_400_000;

/** Chooses the window of a page of metrics, a preset or two days, and the time zone of its days. */
export const PeriodChoices = (): JSX.Element => {
  const { query, set } = useQuery();
  const isOwn = readPeriod(query).own !== null;
  return (
    <>
      <select
        aria-label="Window"
        value={isOwn ? CUSTOM_WINDOW : (query['window'] ?? 'last_30d')}
        onChange={({ currentTarget: { value } }) => {
          const from = new Date(Date.now() - DAYS_SHOWN * DAY_MS).toISOString().slice(0, 10);
          if (value === CUSTOM_WINDOW) set({ window: null, from: `${from}T00:00:00Z` });
          else set({ window: value === 'last_30d' ? null : value, from: null, to: null });
        }}
      >
        {WINDOWS.map(([name, title]) => (
          <option value={name}>{title}</option>
        ))}
        <option value={CUSTOM_WINDOW}>From … to …</option>
      </select>
      {isOwn ? (
        <>
          <DateChoice name="from" title="from" />
          <DateChoice name="to" title="to" />
        </>
      ) : null}
      <Choice name="timezone" label="Time zone" title="Days in UTC" options={ZONES} />
    </>
  );
};
