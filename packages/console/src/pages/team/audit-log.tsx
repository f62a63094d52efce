import type { JSX } from 'preact';
import { readEachPage } from '../../api/calls';
import { type ListPage, useList } from '../../api/load';
import { place } from '../../api/session';
import { Button, Card, Empty, Time, useAction } from '../../ui/basics';
import { useCsvExport } from '../../ui/csv-export';
import { formatNumber } from '../../ui/format';
import { FilterForm } from '../../ui/filter-form';
import { useQuery } from '../../ui/query';
import { type Column, ListTable } from '../../ui/table';
import { PageLink, SubscriberLink } from '../links';

export interface AuditItem {
  readonly id: string;
  readonly at: string;
  readonly actor: { readonly type: string; readonly id: string; readonly name: string };
  readonly action: string;
  readonly object: { readonly type: string; readonly id: string; readonly name: string | null };
  readonly request_id: string | null;
  readonly address: string | null;
}

export type AuditFilters = Readonly<
  Partial<Record<'actor' | 'action' | 'object' | 'tenant_id', string>>
>;
type LoadAudit = (
  filters: AuditFilters,
  cursor: string | null,
  signal: AbortSignal,
) => Promise<ListPage<AuditItem>>;

const FILTERS = [
  ['actor', 'Actor id'],
  ['action', 'Action, such as destination.updated'],
  ['object', 'Object id'],
  ['tenant_id', 'Tenant id'],
] as const;

/** True if a one-time link opened the session. Its person is unknown, so the id is the session's. */
const isLink = ({ id }: AuditItem['actor']): boolean => id.startsWith('ses_');

/** Returns the role of a one-time link. The sign-in itself is recorded before there is one. */
const findLinkRole = ({ name }: AuditItem['actor']): string => (name === 'link' ? '' : name);

/** Objects without a page. The ids of all others can be searched. */
const WITHOUT_PAGE = /^(member|session|tenant|invitation|console)/;

type NameObject = (object: AuditItem['object']) => string | null;

const createColumns = (findName: NameObject): readonly Column<AuditItem>[] => [
  { title: 'When', cell: ({ at }) => <Time at={at} /> },
  {
    title: 'Who',
    cell: ({ actor }) => (
      <span class="cell" title={actor.id}>
        {isLink(actor) ? 'One-time link' : actor.name}{' '}
        <span class="muted">
          {isLink(actor) ? findLinkRole(actor) : actor.type.replace('_', ' ')}
        </span>
      </span>
    ),
  },
  { title: 'What', cell: ({ action }) => <strong>{action}</strong> },
  {
    title: 'To what',
    cell: ({ object }) => (
      <span class="cell" title={object.id}>
        {object.type.replaceAll('_', ' ')}{' '}
        <ObjectName object={object} name={object.name ?? findName(object)} />
      </span>
    ),
  },
  { title: 'From', cell: ({ address }) => address ?? <span class="muted">–</span> },
  {
    title: 'Request',
    cell: (row) => <code class="muted">{row.request_id?.slice(0, 16) ?? '–'}</code>,
  },
];

/** The name of an object, with a link to its page in the dashboard of the tenant. */
const ObjectName = ({
  object: { type, id },
  name,
}: {
  object: AuditItem['object'];
  name: string | null;
}): JSX.Element => {
  if (type === 'subscriber') return <SubscriberLink id={id} />;
  const shown = name ?? <code class="muted">{id}</code>;
  return place.value === null || WITHOUT_PAGE.test(type) ? (
    <>{shown}</>
  ) : (
    <PageLink to={`/search?q=${id}`}>{shown}</PageLink>
  );
};

/** The audit log, with filters in the address and a CSV file for auditors. */
export const AuditTable = ({
  load,
  findName = () => null,
  ofAllTenants = false,
}: {
  load: LoadAudit;
  /** Returns the name of an object; null shows its id. */
  findName?: NameObject;
  ofAllTenants?: boolean;
}): JSX.Element => {
  const { query, set } = useQuery();
  const names = FILTERS.filter(([name]) => ofAllTenants || name !== 'tenant_id');
  const filters: AuditFilters = Object.fromEntries(
    names.flatMap(([name]) => (query[name] === undefined ? [] : [[name, query[name]]])),
  );
  const list = useList<AuditItem>({
    key: JSON.stringify(filters),
    getId: ({ id }) => id,
    load: (cursor, signal) => load(filters, cursor, signal),
  });
  const csv = useCsvExport();
  const save = useAction(async () => {
    await csv.save('audit-log.csv', (write, signal) =>
      readEachPage(
        (cursor) => load(filters, cursor, signal),
        (rows) => {
          write(CSV_NAMES, rows.map(createCsvRow));
        },
      ),
    );
  });
  return (
    <>
      <FilterForm
        label="Filter the audit log"
        texts={names.map(([name, title]) => ({ name, title, value: query[name] }))}
        onFind={set}
      >
        <Button small onClick={csv.rows === null ? save.run : csv.stop}>
          {csv.rows === null ? 'CSV' : `Stop (${formatNumber(csv.rows)} rows)`}
        </Button>
      </FilterForm>
      <Card flush>
        <ListTable
          label="Audit log"
          list={list}
          getId={({ id }) => id}
          columns={createColumns(findName)}
          empty={
            Object.keys(filters).length > 0 ? (
              <Empty title="Nothing matches">Take a filter away, or write it in another way.</Empty>
            ) : (
              <Empty title="Nothing was done">
                Every change that a key, an operator or a member asks for stands here for 400 days.
              </Empty>
            )
          }
        />
      </Card>
    </>
  );
};

const CSV_NAMES = [
  ...['at', 'actor_type', 'actor_id', 'actor', 'action', 'object_type', 'object_id', 'object'],
  ...['address', 'request_id'],
];

const createCsvRow = (row: AuditItem): readonly string[] => [
  row.at,
  row.actor.type,
  row.actor.id,
  row.actor.name,
  row.action,
  row.object.type,
  row.object.id,
  row.object.name ?? '',
  row.address ?? '',
  row.request_id ?? '',
];
