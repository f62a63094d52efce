import type { Destination } from '@subscription-event-service/sdk';
import type { JSX } from 'preact';
import { useList } from '../../api/load';
import { createLoader, service } from '../../api/service';
import { may } from '../../api/session';
import { Card, Empty, LinkButton, Status, Time } from '../../ui/basics';
import { Choice } from '../../ui/choice';
import { Page, createTenantPath } from '../../ui/page';
import { useQuery } from '../../ui/query';
import { type Column, ListTable } from '../../ui/table';
import { useFailing } from './failing';

const createColumns = (failing: ReadonlySet<string>): readonly Column<Destination>[] => [
  {
    title: 'Destination',
    cell: (row) => (
      <a class="cell" href={createTenantPath(`/destinations/${row.id}`)}>
        {getDestinationName(row)}
      </a>
    ),
  },
  {
    title: 'Status',
    cell: (row) => <DestinationStatus destination={row} isFailing={failing.has(row.id)} />,
  },
  { title: 'Sends to', cell: (row) => <span class="cell muted">{readTarget(row)}</span> },
  {
    title: 'Event types',
    cell: ({ event_types: types }) => (
      <span class="cell">{types === null ? 'all' : types.join(', ')}</span>
    ),
  },
  { title: 'Privacy', cell: ({ pii_mode: mode }) => mode.replace('_', ' ') },
  { title: 'Created', cell: (row) => <Time at={row.created_at} /> },
];

/** The address that a destination sends to: a URL or an e-mail address. */
export const readTarget = ({ url, email }: Destination): string => url ?? email ?? '';

/** Returns the name of a destination for people. */
export const getDestinationName = (destination: Destination): string =>
  destination.description ?? readTarget(destination);

/**
 * Shows a status with its reason, because a destination that was disabled for its failures differs
 * from one that somebody disabled.
 */
export const DestinationStatus = ({
  destination,
  isFailing,
}: {
  destination: Destination;
  isFailing: boolean;
}): JSX.Element => (
  <span class="row tight">
    <Status value={isFailing && destination.status === 'active' ? 'failing' : destination.status} />
    {destination.disabled_reason === null ? null : (
      <span class="small muted">{REASONS[destination.disabled_reason]}</span>
    )}
  </span>
);

const REASONS = {
  gone: 'the receiver answered 410',
  failing: 'failed for five days',
  manual: 'switched off',
} as const;

/** The address to which events are sent. */
export const Destinations = (): JSX.Element => {
  const { query } = useQuery();
  const status = query['status'] === 'deleted' ? ('deleted' as const) : undefined;
  const list = useList<Destination>({
    key: status ?? '',
    getId: ({ id }) => id,
    load: createLoader((page, options) =>
      service().destinations.list(
        { ...(status === undefined ? {} : { status }), ...page },
        options,
      ),
    ),
  });
  const failing = useFailing();
  const create = may('destinations.create') ? (
    <LinkButton href={createTenantPath('/destinations/new')} primary icon="plus">
      New destination
    </LinkButton>
  ) : null;
  return (
    <Page
      title="Destinations"
      about="Where events are sent: a signed HTTP POST to your server, or tickets to a mailbox."
      actions={create}
      call={{
        method: 'GET',
        path: '/v1/destinations',
        sdk: 'for await (const destination of service.destinations.list()) {\n  console.log(destination.url, destination.status);\n}',
      }}
    >
      <div class="filters">
        <Choice name="status" title="In use" options={[['deleted', 'Deleted']]} />
      </div>
      <Card flush>
        <ListTable
          label="Destinations"
          list={list}
          getId={({ id }) => id}
          columns={createColumns(failing)}
          empty={
            status === 'deleted' ? (
              <Empty title="Nothing was deleted" isGood>
                A deleted destination can be restored for 30 days.
              </Empty>
            ) : (
              <Empty title="No destination yet" action={create}>
                Add the address of your server to receive every event as a signed webhook. Events
                that happened before can be replayed to it.
              </Empty>
            )
          }
        />
      </Card>
    </Page>
  );
};
