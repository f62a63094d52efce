import type { EventsListQuery, ServiceEvent } from '@subscription-event-service/sdk';
import type { JSX } from 'preact';
import { useLocation } from '../../ui/address';
import { useList } from '../../api/load';
import { createLoader, service } from '../../api/service';
import { Breakable, Card, Empty, Time } from '../../ui/basics';
import { DateChoice } from '../../ui/date-choice';
import { FilterForm } from '../../ui/filter-form';
import { Page, createTenantPath } from '../../ui/page';
import { useQuery } from '../../ui/query';
import { type Column, ListTable } from '../../ui/table';
import { PlanName, SubscriberLink } from '../links';

const COLUMNS: readonly Column<ServiceEvent>[] = [
  {
    title: 'Event',
    cell: ({ id, type }) => (
      <a class="cell" href={createTenantPath(`/events/${id}`)}>
        <Breakable text={type} />
      </a>
    ),
  },
  {
    title: 'Subscriber',
    cell: ({ subscriber: { id, email } }) => <SubscriberLink id={id} email={email ?? null} />,
  },
  {
    title: 'Plan',
    cell: ({ subscription }) =>
      subscription?.plan === undefined ? (
        <span class="muted">–</span>
      ) : (
        <PlanName id={subscription.plan} />
      ),
  },
  {
    title: 'Sequence',
    numeric: true,
    cell: ({ sequence }) => (
      <span title={`Event number ${sequence} of this subscriber`}>{sequence}</span>
    ),
  },
  { title: 'Happened', cell: (row) => <Time at={row.created_at} /> },
];

const FILTERS = [
  'event_types',
  'subscriber_id',
  'subscription_id',
  'created_after',
  'created_before',
];

/** The list of events of this environment, newest first. */
export const Events = (): JSX.Element => {
  const { query } = useQuery();
  const filters = Object.fromEntries(
    FILTERS.flatMap((name) => (query[name] === undefined ? [] : [[name, query[name]]])),
  );
  const list = useList<ServiceEvent>({
    key: JSON.stringify(filters),
    getId: ({ id }) => id,
    load: createLoader((page, options) =>
      service().events.list({ ...createQuery(filters), ...page }, options),
    ),
  });
  const search = new URLSearchParams(filters as Record<string, string>).toString();
  return (
    <Page
      title="Events"
      about="Everything that happened, the newest first. Each is delivered to every destination that asks for it."
      call={{
        method: 'GET',
        path: `/v1/events${search === '' ? '' : `?${search}`}`,
        sdk: `for await (const event of service.events.list(${search === '' ? '' : JSON.stringify(createQuery(filters))})) {\n  console.log(event.type, event.created_at);\n}`,
      }}
    >
      <EventFilters />
      <Card flush>
        <ListTable
          label="Events"
          list={list}
          getId={({ id }) => id}
          columns={COLUMNS}
          empty={
            <Empty
              title={search === '' ? 'Nothing has happened yet' : 'Nothing matches'}
              action={<a href={createTenantPath('/catalogue')}>Which events there are</a>}
            >
              Create a subscriber or a subscription over the API, and its events appear here and at
              your destinations.
            </Empty>
          }
        />
      </Card>
    </Page>
  );
};

const createQuery = ({
  event_types: types,
  ...rest
}: Record<string, string | undefined>): EventsListQuery => ({
  ...rest,
  ...(types === undefined ? {} : { event_types: types.split(',') }),
});

const EventFilters = (): JSX.Element => {
  const { query, set } = useQuery();
  const { route } = useLocation();
  return (
    <FilterForm
      label="Filter events"
      texts={[
        { name: 'types', title: 'Types, such as payment.*', value: query['event_types'] },
        {
          name: 'who',
          title: 'E-mail, subscriber or subscription id',
          value: query['subscriber_id'] ?? query['subscription_id'],
        },
      ]}
      onFind={({ types = '', who = '' }) => {
        // The page of the subscriber shows the events.
        if (who.includes('@')) route(createTenantPath(`/search?q=${encodeURIComponent(who)}`));
        else
          set({
            event_types: types.replaceAll(/\s/g, ''),
            subscriber_id: who.startsWith('sub_') ? null : who,
            subscription_id: who.startsWith('sub_') ? who : null,
          });
      }}
    >
      <DateChoice name="created_after" title="from" />
      <DateChoice name="created_before" title="before" />
    </FilterForm>
  );
};
