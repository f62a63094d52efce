import type { JSX } from 'preact';
import { Stat, Time } from '../../ui/basics';
import { formatDuration, formatNumber } from '../../ui/format';
import { Sparkline } from '../../ui/sparkline';
import { summarizeDay, type Watched } from './health';

/** The deliveries of the last 24 hours, over all destinations. */
export const DeliveryNumbers = ({ watched }: { watched: readonly Watched[] }): JSX.Element => {
  const day = summarizeDay(watched);
  return (
    <div class="grid-4">
      <Stat label="Delivered" value={formatNumber(day.delivered)} note="in the last 24 hours">
        <Sparkline values={day.byHour} label="Delivered in each of the last 24 hours" />
      </Stat>
      <Stat
        label="At the first try"
        value={day.firstTryRate}
        note="of the events of 24 hours and all that wait"
      />
      <Stat
        label="Response time, p95"
        value={day.slowestP95Ms === null ? '–' : formatDuration(day.slowestP95Ms)}
        note="at the slowest destination"
      />
      <Stat
        label="Waiting"
        value={formatNumber(day.waiting)}
        note={
          day.oldestWaitingAt === null ? (
            'nothing waits'
          ) : (
            <>
              the oldest happened <Time at={day.oldestWaitingAt} />
            </>
          )
        }
      />
    </div>
  );
};
