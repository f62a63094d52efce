import type { Ticket, TicketsListQuery } from '@subscription-event-service/sdk';
import type { JSX } from 'preact';
import { useList } from '../../api/load';
import { createLoader, service } from '../../api/service';
import { Card, Empty, Status, Time } from '../../ui/basics';
import { Choice } from '../../ui/choice';
import { Page, createTenantPath } from '../../ui/page';
import { useQuery } from '../../ui/query';
import { type Column, ListTable } from '../../ui/table';
import { SubscriberLink } from '../links';

const TOPICS = [
  'billing_question',
  'refund_request',
  'plan_change',
  'cancel',
  'payment_issue',
  'other',
] as const;

export const TICKET_COLUMNS: readonly Column<Ticket>[] = [
  {
    title: 'Ticket',
    cell: ({ id, subject, topic }) => (
      <a class="cell" href={createTenantPath(`/tickets/${id}`)}>
        {subject ?? topic.replaceAll('_', ' ')}
      </a>
    ),
  },
  { title: 'Status', cell: ({ status }) => <Status value={status} /> },
  {
    title: 'Priority',
    cell: ({ priority }) =>
      priority === 'high' ? <Status value="high" /> : <span class="muted">normal</span>,
  },
  { title: 'Topic', cell: ({ topic }) => topic.replaceAll('_', ' ') },
  { title: 'From', cell: ({ source }) => source.replaceAll('_', ' ') },
  {
    title: 'Subscriber',
    cell: (row) => <SubscriberLink id={row.subscriber_id} />,
  },
  { title: 'Submitted', cell: (row) => <Time at={row.created_at} /> },
];

/** The list of tickets, open ones first, with filters by topic and status. */
export const Tickets = (): JSX.Element => {
  const { query } = useQuery();
  const filters = {
    status: query['status'] ?? 'open',
    ...(query['topic'] === undefined ? {} : { topic: query['topic'] }),
    ...(query['priority'] === undefined ? {} : { priority: query['priority'] }),
  } as TicketsListQuery;
  const list = useList<Ticket>({
    key: JSON.stringify(filters),
    getId: ({ id }) => id,
    load: createLoader((page, options) => service().tickets.list({ ...filters, ...page }, options)),
  });
  return (
    <Page
      title="Tickets"
      about="What subscribers asked, the newest first."
      call={{
        method: 'GET',
        path: `/v1/tickets?${new URLSearchParams(filters as Record<string, string>).toString()}`,
        sdk: `const page = await service.tickets.list(${JSON.stringify(filters)});`,
      }}
    >
      <div class="filters">
        <Choice
          name="status"
          title="Open"
          options={[
            ['resolved', 'Resolved'],
            ['closed', 'Closed'],
          ]}
        />
        <Choice name="topic" title="Any topic" options={TOPICS.map((topic) => [topic, topic])} />
        <Choice name="priority" title="Any priority" options={[['high', 'High']]} />
      </div>
      <Card flush>
        <ListTable
          label="Tickets"
          list={list}
          getId={({ id }) => id}
          columns={TICKET_COLUMNS}
          empty={<NoTickets isFiltered={Object.keys(query).length > 0} />}
        />
      </Card>
    </Page>
  );
};

const NoTickets = ({ isFiltered }: { isFiltered: boolean }): JSX.Element =>
  isFiltered ? (
    <Empty
      title="No ticket matches"
      action={<a href={createTenantPath('/tickets')}>Remove all filters</a>}
    >
      Try another status or topic.
    </Empty>
  ) : (
    <Empty title="Nothing to answer">
      Tickets come in by <code>POST /v1/tickets</code>, from your help center or billing portal.
      Every one is delivered as <code>ticket.submitted</code> too.
    </Empty>
  );
