import type { DeliveriesListAllQuery, Delivery } from '@subscription-event-service/sdk';
import type { JSX } from 'preact';
import { useList } from '../../api/load';
import { createLoader, service } from '../../api/service';
import { Breakable, Card, Empty, Status, Time } from '../../ui/basics';
import { Choice } from '../../ui/choice';
import { DateChoice } from '../../ui/date-choice';
import { FilterForm, type FilterText } from '../../ui/filter-form';
import { type ApiCall, createTenantPath } from '../../ui/page';
import { useQuery } from '../../ui/query';
import { type Column, ListTable } from '../../ui/table';
import { DestinationLink } from '../links';
import { DeliveryPanel } from './delivery-panel';
import { useFailing } from './failing';
import { NextTry } from './next-try';

const FILTER_NAMES = [
  'status',
  'event_type',
  'status_code',
  'created_after',
  'created_before',
] as const;

type DeliveryFilters = Readonly<Partial<Record<(typeof FILTER_NAMES)[number], string>>>;

/** Returns the filters of a list that the address contains. */
const readFilters = (query: Readonly<Record<string, string>>): DeliveryFilters =>
  Object.fromEntries(
    FILTER_NAMES.flatMap((name) => (query[name] === undefined ? [] : [[name, query[name]]])),
  );

/** Returns the filters of the address as the API takes them. */
const createDeliveriesQuery = ({
  status_code: code,
  ...rest
}: DeliveryFilters): DeliveriesListAllQuery => ({
  ...(rest as DeliveriesListAllQuery),
  ...(code === undefined ? {} : { status_code: Number(code) }),
});

/** The API call behind the table, with the filters of the address. */
export const createDeliveriesCall = (
  query: Readonly<Record<string, string>>,
  destinationId?: string,
): ApiCall => {
  const asked = {
    ...(destinationId === undefined ? {} : { destination_id: destinationId }),
    ...createDeliveriesQuery(readFilters(query)),
  };
  const texts = Object.entries(asked).map(([name, value]) => [name, String(value)]);
  const hasFilters = texts.length > 0;
  return {
    method: 'GET',
    path: `/v1/deliveries${hasFilters ? `?${new URLSearchParams(texts).toString()}` : ''}`,
    sdk: `for await (const delivery of service.deliveries.listAll(${hasFilters ? JSON.stringify(asked) : ''})) {\n  console.log(delivery.event_type, delivery.status);\n}`,
  };
};

/**
 * The table of deliveries, to one destination or to all. Its filters are in the address. A click on
 * a row opens a panel with its attempts.
 */
export const DeliveryTable = ({
  destinationId: ofDestination,
}: {
  /** The id of the destination. Without it the table shows the deliveries to all. */
  destinationId?: string;
}): JSX.Element => {
  const { query, set, href } = useQuery();
  const failing = useFailing();
  const filters = readFilters(query);
  const list = useList<Delivery>({
    key: `${ofDestination ?? 'all'}/${JSON.stringify(filters)}`,
    getId: createRowId,
    load: createLoader((page, options) =>
      service().deliveries.listAll(
        {
          ...createDeliveriesQuery(filters),
          ...(ofDestination === undefined ? {} : { destination_id: ofDestination }),
          ...page,
        },
        options,
      ),
    ),
  });
  const [eventId = '', destinationId = ofDestination ?? ''] = (query['delivery'] ?? '').split('.');
  const createHref = ({ event_id: event, destination_id: destination }: Delivery): string =>
    href({ delivery: destination === ofDestination ? event : `${event}.${destination}` });
  return (
    <>
      <DeliveryFilterForm />
      <Card flush>
        <ListTable
          label="Deliveries"
          list={list}
          getId={createRowId}
          empty={<NoDeliveries isFiltered={Object.keys(filters).length > 0} />}
          columns={createColumns(createHref, ofDestination === undefined, failing)}
        />
      </Card>
      {eventId === '' ? null : (
        <DeliveryPanel
          destinationId={destinationId}
          isFailing={failing.has(destinationId)}
          eventId={eventId}
          onClose={() => {
            set({ delivery: null });
          }}
        />
      )}
    </>
  );
};

const createRowId = (row: Delivery): string => `${row.event_id} ${row.destination_id}`;

const DeliveryFilterForm = (): JSX.Element => {
  const { query, set } = useQuery();
  const texts: readonly FilterText[] = [
    { name: 'event_type', title: 'Type, such as payment.failed', value: query['event_type'] },
    { name: 'status_code', title: 'Status code, such as 503', value: query['status_code'] },
  ];
  return (
    <FilterForm label="Filter deliveries" texts={texts} onFind={set}>
      <Choice
        name="status"
        title="Any status"
        options={(['delivered', 'pending', 'failed'] as const).map((each) => [each, each])}
      />
      <DateChoice name="created_after" title="from" />
      <DateChoice name="created_before" title="before" />
    </FilterForm>
  );
};

const NoDeliveries = ({ isFiltered }: { isFiltered: boolean }): JSX.Element =>
  isFiltered ? (
    <Empty title="Nothing matches">
      Take a filter away. The log keeps 30 days; older events can be replayed for 24 months.
    </Empty>
  ) : (
    <Empty
      title="Nothing was sent yet"
      action={<a href={createTenantPath('/catalogue')}>Send an event of the catalogue</a>}
    >
      Events are delivered as soon as they happen. The log keeps 30 days; older events can be
      replayed for 24 months.
    </Empty>
  );

const createColumns = (
  createHref: (row: Delivery) => string,
  withDestination: boolean,
  failing: ReadonlySet<string>,
): readonly Column<Delivery>[] => [
  {
    title: 'Event',
    cell: (row) => (
      <a href={createHref(row)}>
        <Breakable text={row.event_type} />
      </a>
    ),
  },
  { title: 'Status', cell: ({ status }) => <Status value={status} /> },
  ...(withDestination
    ? [
        {
          title: 'Destination',
          cell: ({ destination_id: id }: Delivery) => <DestinationLink id={id} />,
        },
      ]
    : []),
  {
    title: 'Response',
    cell: (row) => row.last_status_code ?? row.last_error ?? <span class="muted">–</span>,
  },
  { title: 'Tries', numeric: true, cell: (row) => row.attempt_count },
  { title: 'Last try', cell: (row) => <Time at={row.last_attempt_at} /> },
  {
    title: 'Next try',
    cell: (row) => <NextTry at={row.next_attempt_at} isFailing={failing.has(row.destination_id)} />,
  },
  {
    title: 'Replay',
    cell: ({ replay_id: id }) =>
      id === null ? (
        <span class="muted">–</span>
      ) : (
        <a href={createTenantPath(`/replays/${id}`)} title={id}>
          replayed
        </a>
      ),
  },
];
