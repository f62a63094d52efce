import type { Replay } from '@subscription-event-service/sdk';
import type { JSX } from 'preact';
import { Status, Time } from '../../ui/basics';
import { formatNumber } from '../../ui/format';

/** The interval at which every page asks for the progress of its replays again, in ms. */
export const REPLAY_POLL_MS = 2_000;

export const isRunning = ({ status }: Replay): boolean =>
  status === 'queued' || status === 'in_progress';

/** The status of a replay and how far it is, in the same words on every page. */
export const ReplayProgress = ({ replay }: { replay: Replay }): JSX.Element => {
  const { events_matched: all, events_pending: pending } = replay;
  const done = all - pending;
  return (
    <span class="row tight">
      <Status value={replay.status} />
      {isRunning(replay) ? (
        <progress max={Math.max(1, all)} value={done} aria-label="Progress of the replay" />
      ) : null}
      <span class="small muted">
        {formatNumber(done)} of {formatNumber(all)}
        {isRunning(replay) ? (
          // Before the first event is done, there is no speed to estimate from.
          done === 0 ? null : (
            <>
              , done <Time at={replay.estimated_completion_at} />
            </>
          )
        ) : (
          <>
            , ended <Time at={replay.finished_at} />
          </>
        )}
      </span>
    </span>
  );
};
