import type { Replay } from '@subscription-event-service/sdk';
import type { JSX } from 'preact';
import { useList } from '../../api/load';
import { createLoader, service } from '../../api/service';
import { may } from '../../api/session';
import { Card, Empty, LinkButton, Time } from '../../ui/basics';
import { formatDate, formatNumber } from '../../ui/format';
import { Page, createTenantPath } from '../../ui/page';
import { type Column, ListTable } from '../../ui/table';
import { DestinationLink } from '../links';
import { REPLAY_POLL_MS, ReplayProgress } from './replay-progress';

const COLUMNS: readonly Column<Replay>[] = [
  {
    title: 'Replay',
    cell: (row) => (
      <a class="cell" href={createTenantPath(`/replays/${row.replay_id}`)}>
        {formatDate(row.from)} to {formatDate(row.to)}
      </a>
    ),
  },
  { title: 'Status', cell: (row) => <ReplayProgress replay={row} /> },
  {
    title: 'Destination',
    cell: (row) => <DestinationLink id={row.destination_id} />,
  },
  { title: 'Delivered', numeric: true, cell: (row) => formatNumber(row.events_delivered) },
  { title: 'Failed', numeric: true, cell: (row) => formatNumber(row.events_failed) },
  { title: 'Created', cell: (row) => <Time at={row.created_at} /> },
];

/** The list of replays, which send the events of a past window again. */
export const Replays = (): JSX.Element => {
  const list = useList<Replay>({
    key: 'replays',
    pollMs: REPLAY_POLL_MS,
    getId: (row) => row.replay_id,
    load: createLoader((page, options) => service().replays.list(page, options)),
  });
  const create = may('replays.create') ? (
    <LinkButton href={createTenantPath('/replays/new')} primary icon="plus">
      New replay
    </LinkButton>
  ) : null;
  return (
    <Page
      title="Replays"
      about="Any window of the last 24 months can be sent to a destination again. X-Service-Signature stays the original one; webhook-signature is made anew for each attempt."
      actions={create}
      call={{
        method: 'GET',
        path: '/v1/replay',
        sdk: 'for await (const replay of service.replays.list()) {\n  console.log(replay.replay_id, replay.status);\n}',
      }}
    >
      <Card flush>
        <ListTable
          label="Replays"
          list={list}
          getId={(row) => row.replay_id}
          columns={COLUMNS}
          empty={
            <Empty title="Nothing was replayed yet" action={create}>
              After an outage of your receiver, or for a new receiver that needs the past: choose a
              window and a destination.
            </Empty>
          }
        />
      </Card>
    </Page>
  );
};
