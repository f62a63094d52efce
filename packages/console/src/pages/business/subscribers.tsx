import type { Subscriber, SubscribersListQuery } from '@subscription-event-service/sdk';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { useLoaded, useList } from '../../api/load';
import { after, firstPage, service } from '../../api/service';
import { Button, Card, Empty, Money, Status, Time } from '../../ui/basics';
import { Choice } from '../../ui/choice';
import { Page, tenantPath } from '../../ui/page';
import { useQuery } from '../../ui/query';
import { type Column, ListTable } from '../../ui/table';

const STATUSES = ['active', 'trialing', 'paused', 'lapsed', 'cancelled'] as const;
const FILTERS = ['status', 'cohort_id', 'email', 'external_id', 'plan', 'tag'] as const;

const COLUMNS: readonly Column<Subscriber>[] = [
  {
    title: 'Subscriber',
    cell: (row) => (
      <a class="cell" href={tenantPath(`/subscribers/${row.id}`)}>
        {nameOf(row)}
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
          <Status value={subscription.status} />
        )
      ) : (
        <Status value="erased" />
      ),
  },
  { title: 'Plan', cell: ({ subscription }) => subscription?.plan ?? <span class="muted">–</span> },
  { title: 'Tags', cell: ({ tags }) => <Tags tags={tags} /> },
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

/** The address, or what stands for it where it may not be shown. */
export const nameOf = (subscriber: Subscriber): string =>
  subscriber.email ?? subscriber.external_id ?? subscriber.id;

export const Tags = ({ tags }: { tags: readonly string[] }): JSX.Element => (
  <span class="row" style="gap:4px;flex-wrap:nowrap">
    {tags.slice(0, 3).map((tag) => (
      <span class="tag">{tag}</span>
    ))}
    {tags.length > 3 ? <span class="muted small">+{tags.length - 3}</span> : null}
  </span>
);

/** Every subscriber of the environment, found by one box and narrowed by filters. */
export const Subscribers = (): JSX.Element => {
  const { query } = useQuery();
  const filters = Object.fromEntries(
    FILTERS.flatMap((name) => (query[name] === undefined ? [] : [[name, query[name]]])),
  ) as SubscribersListQuery;
  const list = useList<Subscriber>({
    key: JSON.stringify(filters),
    idOf: ({ id }) => id,
    load: (cursor, signal) =>
      firstPage(
        service().subscribers.list({ ...filters, ...after(cursor), limit: 100 }, { signal }),
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
          idOf={({ id }) => id}
          columns={COLUMNS}
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
      action={<a href={tenantPath('/subscribers')}>Remove all filters</a>}
    >
      Try another status, or paste an e-mail address or an id into the box.
    </Empty>
  ) : (
    <Empty title="No subscribers yet" action={<code>POST /v1/subscribers</code>}>
      Your backend registers a subscriber with an e-mail address or an id of its own. In a test
      environment, <code>POST /v1/test_helpers/seed</code> makes some.
    </Empty>
  );

const SubscriberFilters = (): JSX.Element => {
  const { query, set } = useQuery();
  const [text, setText] = useState(query['email'] ?? query['external_id'] ?? '');
  const [tag, setTag] = useState(query['tag'] ?? '');
  const cohorts = useLoaded('cohorts', (signal) =>
    firstPage(service().cohorts.list({ limit: 100 }, { signal })),
  );
  const plans = useLoaded('plans', (signal) =>
    firstPage(service().plans.list({ limit: 100 }, { signal })),
  );
  const find = (event: Event): void => {
    event.preventDefault();
    const value = text.trim();
    const isEmail = value.includes('@');
    set({
      email: isEmail ? value : null,
      external_id: isEmail ? null : value,
      tag: tag.trim(),
    });
  };
  return (
    <form class="filters" onSubmit={find} role="search" aria-label="Filter subscribers">
      <input
        aria-label="E-mail or external id"
        placeholder="E-mail or external id"
        style="width:240px"
        value={text}
        onInput={(event) => {
          setText(event.currentTarget.value);
        }}
      />
      <input
        aria-label="Tag"
        placeholder="Tag"
        style="width:110px"
        value={tag}
        onInput={(event) => {
          setTag(event.currentTarget.value);
        }}
      />
      <Choice name="status" title="Any status" options={STATUSES.map((each) => [each, each])} />
      <Choice
        name="plan"
        title="Any plan"
        options={
          plans.state.kind === 'ready'
            ? plans.state.value.data.map(({ id, name }) => [id, name])
            : []
        }
      />
      <Choice
        name="cohort_id"
        title="Any cohort"
        options={
          cohorts.state.kind === 'ready'
            ? cohorts.state.value.data.map(({ id, name }) => [id, name])
            : []
        }
      />
      <Button type="submit" small>
        Find
      </Button>
    </form>
  );
};
