import type { Subscriber, SubscribersListQuery } from '@subscription-event-service/sdk';
import type { JSX } from 'preact';
import { useLocation } from '../../ui/address';
import { useList } from '../../api/load';
import { useNames, useNameChoices } from '../../api/names';
import { createLoader, service } from '../../api/service';
import { Breakable, Card, Empty, Money, Status, Time } from '../../ui/basics';
import { Choice } from '../../ui/choice';
import { FilterForm } from '../../ui/filter-form';
import { Page, createTenantPath } from '../../ui/page';
import { useQuery } from '../../ui/query';
import { type Column, ListTable } from '../../ui/table';

const STATUSES = ['active', 'trialing', 'paused', 'lapsed', 'cancelled'] as const;
const PAYMENT_STATES = ['past_due', 'ok'] as const;
const FILTERS = [
  'status',
  'payment_state',
  'cohort_id',
  'email',
  'external_id',
  'plan',
  'tag',
] as const;

export const createSubscriberColumns = (
  findPlanName: (id: string) => string,
): readonly Column<Subscriber>[] => [
  {
    title: 'Subscriber',
    cell: (row) => (
      <a class="cell" href={createTenantPath(`/subscribers/${row.id}`)}>
        <Breakable text={nameSubscriber(row)} />
      </a>
    ),
  },
  {
    title: 'Status',
    cell: ({ subscription, erased_at: erasedAt }) =>
      erasedAt === null ? (
        subscription === null ? (
          <span class="muted">none</span>
        ) : (
          <span class="row tags">
            <Status value={subscription.status} />
            {subscription.payment_state === 'ok' ? null : (
              <Status value={subscription.payment_state} />
            )}
          </span>
        )
      ) : (
        <Status value="erased" />
      ),
  },
  {
    title: 'Plan',
    cell: ({ subscription }) =>
      subscription === null ? <span class="muted">–</span> : findPlanName(subscription.plan),
  },
  { title: 'Tags', cell: ({ tags }) => showTags(tags, 3) },
  {
    title: 'Paid',
    numeric: true,
    cell: ({ total_paid: paid, paid_currency: currency }) =>
      currency === null ? (
        <span class="muted">–</span>
      ) : (
        <Money amount={paid} currency={currency} />
      ),
  },
  { title: 'Registered', cell: (row) => <Time at={row.created_at} /> },
];

/** Returns the e-mail address, or another text if the role may not see it. */
export const nameSubscriber = (subscriber: Subscriber): string =>
  subscriber.email ?? subscriber.external_id ?? subscriber.id;

/** Shows the tags of a subscriber, or the first of them; nothing if there is none. */
export const showTags = (tags: readonly string[], most = Infinity): JSX.Element | null =>
  tags.length === 0 ? null : (
    <span class="row tags">
      {tags.slice(0, most).map((tag) => (
        <span class="tag">{tag}</span>
      ))}
      {tags.length > most ? <span class="muted small">+{tags.length - most}</span> : null}
    </span>
  );

/** The list of subscribers, with a search field and filters. */
export const Subscribers = (): JSX.Element => {
  const findPlanName = useNames('plans');
  const { query } = useQuery();
  const filters = Object.fromEntries(
    FILTERS.flatMap((name) => (query[name] === undefined ? [] : [[name, query[name]]])),
  ) as SubscribersListQuery;
  const list = useList<Subscriber>({
    key: JSON.stringify(filters),
    getId: ({ id }) => id,
    load: createLoader((page, options) =>
      service().subscribers.list({ ...filters, ...page }, options),
    ),
  });
  const search = new URLSearchParams(filters as Record<string, string>).toString();
  return (
    <Page
      title="Subscribers"
      about="Everybody who subscribes or did, the newest first."
      call={{
        method: 'GET',
        path: `/v1/subscribers${search === '' ? '' : `?${search}`}`,
        sdk: `for await (const subscriber of service.subscribers.list(${
          search === '' ? '' : JSON.stringify(filters)
        })) {\n  console.log(subscriber.id);\n}`,
      }}
    >
      <SubscriberFilters />
      <Card flush>
        <ListTable
          label="Subscribers"
          list={list}
          getId={({ id }) => id}
          columns={createSubscriberColumns(findPlanName)}
          empty={<NoSubscribers isFiltered={search !== ''} />}
        />
      </Card>
    </Page>
  );
};

const NoSubscribers = ({ isFiltered }: { isFiltered: boolean }): JSX.Element =>
  isFiltered ? (
    <Empty
      title="Nobody matches"
      action={<a href={createTenantPath('/subscribers')}>Remove all filters</a>}
    >
      Try another status, or paste an e-mail address or an id into the box.
    </Empty>
  ) : (
    <Empty title="No subscribers yet" action={<code>POST /v1/subscribers</code>}>
      Your backend registers each subscriber with an e-mail address, and with its own id if you
      like. In a test environment, <code>POST /v1/test_helpers/seed</code> makes some.
    </Empty>
  );

const SubscriberFilters = (): JSX.Element => {
  const { query, set } = useQuery();
  const { route } = useLocation();
  return (
    <FilterForm
      label="Filter subscribers"
      texts={[
        {
          name: 'who',
          title: 'E-mail, id or external id',
          value: query['email'] ?? query['external_id'],
        },
        { name: 'tag', title: 'Tag', value: query['tag'] },
      ]}
      onFind={({ who = '', tag = '' }) => {
        const isEmail = who.includes('@');
        if (who.startsWith('subscriber_')) route(createTenantPath(`/subscribers/${who}`));
        else {
          set({ email: isEmail ? who : null, external_id: isEmail ? null : who, tag });
        }
      }}
    >
      <Choice name="status" title="Any status" options={STATUSES.map((each) => [each, each])} />
      <Choice
        name="payment_state"
        title="Any payment state"
        options={PAYMENT_STATES.map((each) => [each, each])}
      />
      <Choice name="plan" title="Any plan" options={useNameChoices('plans')} />
      <Choice name="cohort_id" title="Any cohort" options={useNameChoices('cohorts')} />
    </FilterForm>
  );
};
