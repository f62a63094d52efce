import type { Replay, ReplayFailure } from '@subscription-event-service/sdk';
import type { JSX } from 'preact';
import { useLocation, useLastPart } from '../../ui/address';
import { useList, useLoaded } from '../../api/load';
import { createLoader, service } from '../../api/service';
import { may } from '../../api/session';
import {
  Button,
  Card,
  Copyable,
  Empty,
  Facts,
  showExactTime,
  Stat,
  Time,
  useAction,
  Waiting,
} from '../../ui/basics';
import { ConfirmButton } from '../../ui/dialog';
import { formatNumber, formatTime } from '../../ui/format';
import { Page, createTenantPath } from '../../ui/page';
import { ListTable } from '../../ui/table';
import { showToast } from '../../ui/toast';
import { DestinationLink } from '../links';
import { isRunning, REPLAY_POLL_MS, ReplayProgress } from './replay-progress';

/** The page of a replay: its progress, its failures, and the possible actions. */
export const ReplayPage = (): JSX.Element => {
  const id = useLastPart();
  const { state, reload } = useLoaded(
    id,
    (signal) => service().replays.get(id, { signal }),
    REPLAY_POLL_MS,
  );
  const replay = state.kind === 'ready' ? state.value : null;
  return (
    <Page
      title="Replay"
      crumbs={[['Replays', createTenantPath('/replays')]]}
      about={replay === null ? undefined : `${formatTime(replay.from)} to ${formatTime(replay.to)}`}
      actions={replay === null ? null : <Actions replay={replay} onDone={reload} />}
      call={{
        method: 'GET',
        path: `/v1/replay/${id}`,
        sdk: `const replay = await service.replays.get('${id}');`,
      }}
    >
      <Waiting state={state} retry={reload} lines={6} />
      {replay === null ? null : <Content replay={replay} />}
    </Page>
  );
};

const Actions = ({
  replay,
  onDone,
}: {
  replay: Replay;
  onDone: () => void;
}): JSX.Element | null => {
  const { route } = useLocation();
  const retry = useAction(async () => {
    const again = await service().replays.create({ retry_of: replay.replay_id });
    if ('replay_id' in again) route(createTenantPath(`/replays/${again.replay_id}`));
  });
  if (!may('replays.create')) return null;
  if (isRunning(replay)) {
    return (
      <ConfirmButton
        kind="danger"
        label="Cancel"
        title="Cancel this replay"
        action="Cancel the replay"
        cancel="Let it run"
        onConfirm={async () => {
          await service().replays.cancel(replay.replay_id);
          showToast('The replay is cancelled.');
          onDone();
        }}
      >
        <p>It sends nothing more and cannot go on. A new replay skips what has arrived.</p>
      </ConfirmButton>
    );
  }
  return replay.events_failed === 0 ? null : (
    <Button kind="primary" onClick={retry.run}>
      Send the {formatNumber(replay.events_failed)} failed again
    </Button>
  );
};

const Content = ({ replay }: { replay: Replay }): JSX.Element => {
  return (
    <>
      <Card>
        <div aria-live="polite">
          <ReplayProgress replay={replay} />
        </div>
      </Card>
      <div class="grid-4">
        <Stat label="Delivered" value={formatNumber(replay.events_delivered)} />
        <Stat label="Failed" value={formatNumber(replay.events_failed)} />
        <Stat label="Waiting" value={formatNumber(replay.events_pending)} />
        <Stat
          label="Skipped"
          value={formatNumber(replay.events_skipped)}
          note={
            replay.events_skipped > 0 && replay.events_delivered === 0
              ? 'They were delivered before. “Send all again” sends them anyway.'
              : undefined
          }
        />
      </div>
      <div class="with-aside">
        {replay.events_failed > 0 ? (
          <Failures replayId={replay.replay_id} />
        ) : (
          <Card>
            <Empty title={isRunning(replay) ? 'On its way' : 'Nothing failed'} isGood>
              What a receiver does not take stands here with its last response.
            </Empty>
          </Card>
        )}
        <aside aria-label="Details">
          <Card title="Details">
            <Facts
              items={[
                ['Id', <Copyable text={replay.replay_id} />],
                ['Destination', <DestinationLink id={replay.destination_id} />],
                ['Event types', replay.event_types?.join(', ') ?? 'all that the destination takes'],
                [
                  'Delivered before',
                  replay.dedupe_strategy === 'skip_existing' ? 'skipped' : 'sent again',
                ],
                ['Began', showExactTime(replay.started_at)],
                ['Failure', replay.failure_reason],
              ]}
            />
          </Card>
        </aside>
      </div>
    </>
  );
};

const Failures = ({ replayId }: { replayId: string }): JSX.Element => {
  const list = useList<ReplayFailure>({
    key: replayId,
    getId: (row) => row.event_id,
    load: createLoader((page, options) => service().replays.listFailures(replayId, page, options)),
  });
  return (
    <Card title="Failed" flush>
      <ListTable
        label="Failed events"
        list={list}
        getId={(row) => row.event_id}
        empty={
          <Empty title="Nothing failed" isGood>
            Every event arrived.
          </Empty>
        }
        columns={[
          {
            title: 'Event',
            cell: (row) => (
              <a href={createTenantPath(`/events/${row.event_id}`)}>{row.event_type}</a>
            ),
          },
          { title: 'Tries', numeric: true, cell: ({ attempts }) => attempts },
          {
            title: 'Last response',
            cell: (row) => row.last_status_code ?? row.last_error ?? <span class="muted">–</span>,
          },
          { title: 'Last try', cell: (row) => <Time at={row.last_attempt_at} /> },
        ]}
      />
    </Card>
  );
};
