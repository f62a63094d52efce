import type { List, ServiceEvent } from '@subscription-event-service/sdk';
import type { JSX } from 'preact';
import { useLoaded } from '../../api/load';
import { useNames } from '../../api/names';
import { readFirstPage, service } from '../../api/service';
import { Card, Empty, LoadedValue, Time } from '../../ui/basics';
import { createTenantPath, Page } from '../../ui/page';
import { type Column, Table } from '../../ui/table';
import { EventAmount, explainEvent } from '../business/subscriber-timeline';
import { createSubscriberColumns } from '../business/subscribers';
import { TICKET_COLUMNS } from '../business/tickets';
import { SubscriberLink } from '../links';

const POLL_MS = 15_000;
/** The number of rows of each table. A link leads to the whole list. */
const limit = 5;
const DAYS = 7;

const FAILURE_COLUMNS: readonly Column<ServiceEvent>[] = [
  {
    title: 'Subscriber',
    cell: ({ subscriber: { id, email } }) => <SubscriberLink id={id} email={email ?? null} />,
  },
  { title: 'Amount', cell: ({ data }) => <EventAmount data={data} /> },
  { title: 'Why', cell: (row) => explainEvent(row) },
  { title: 'Happened', cell: (row) => <Time at={row.created_at} /> },
];

/** The first page of a support person: what waits for an answer, and who cannot pay. */
export const SupportHome = (): JSX.Element => {
  const findPlanName = useNames('plans');
  const after = new Date(Date.now() - DAYS * 86_400_000).toISOString().slice(0, 11);
  const failed = { event_types: ['payment.failed'], created_after: `${after}00:00:00Z` };
  return (
    <Page
      title="Home"
      call={{
        method: 'GET',
        path: '/v1/tickets?status=open',
        sdk: "const page = await service.tickets.list({ status: 'open' });",
      }}
    >
      <Newest
        title="Open tickets"
        path="/tickets"
        columns={TICKET_COLUMNS}
        load={(options) => service().tickets.list({ status: 'open', limit }, options)}
      />
      <Newest
        title="Past due subscribers"
        path="/subscribers?payment_state=past_due"
        columns={createSubscriberColumns(findPlanName)}
        load={(options) =>
          service().subscribers.list({ payment_state: 'past_due', limit }, options)
        }
      />
      <Newest
        title={`Failed payments of the last ${DAYS} days`}
        path={`/events?event_types=payment.failed&created_after=${failed.created_after}`}
        columns={FAILURE_COLUMNS}
        load={(options) => service().events.list({ ...failed, limit }, options)}
      />
    </Page>
  );
};

/** The newest rows of a list, with a link to all of them. */
const Newest = <T extends { readonly id: string }>({
  title,
  path,
  columns,
  load,
}: {
  title: string;
  /** The page of the whole list, below the address of the tenant. */
  path: string;
  columns: readonly Column<T>[];
  load: (options: { readonly signal: AbortSignal }) => List<T>;
}): JSX.Element => {
  const { state, reload } = useLoaded(title, (signal) => readFirstPage(load({ signal })), POLL_MS);
  return (
    <Card
      title={title}
      flush
      actions={<a href={createTenantPath(path)}>All {title.toLowerCase()}</a>}
    >
      <LoadedValue state={state} retry={reload}>
        {({ data }) =>
          data.length === 0 ? (
            <Empty title="None" isGood>
              New ones are shown here at once.
            </Empty>
          ) : (
            <Table label={title} rows={data} getId={({ id }) => id} columns={columns} />
          )
        }
      </LoadedValue>
    </Card>
  );
};
