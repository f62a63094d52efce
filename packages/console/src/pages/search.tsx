import type { SearchResults } from '@subscription-event-service/sdk';
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { useLocation } from '../ui/address';
import { useLoaded } from '../api/load';
import { service } from '../api/service';
import { hasRight, may, maySee } from '../api/session';
import { Card, Empty, LoadedValue } from '../ui/basics';
import { Page, createTenantPath } from '../ui/page';
import { useQuery } from '../ui/query';
import { Table } from '../ui/table';
import { PageLink } from './links';

type SearchResult = SearchResults['data'][number];

interface Match {
  readonly kind: string;
  readonly id: string;
  readonly text: string;
  /** The address of the object's page, below the tenant. */
  readonly path: string;
}

/**
 * The pages of kinds of objects, with the name of the kind in search results and the prefix of its
 * ids.
 */
const PAGES: readonly (readonly [type: string, prefix: string, path: string])[] = [
  ['event', 'evt_', '/events/'],
  ['subscriber', 'subscriber_', '/subscribers/'],
  ['destination', 'dest_', '/destinations/'],
  ['replay', 'rep_', '/replays/'],
  ['ticket', 'tkt_', '/tickets/'],
  ['cohort', 'cohort_', '/cohorts/'],
  ['motion', 'mot_', '/motions/'],
];

/**
 * Kinds of objects without a page of their own, with the tab of the subscriber's page that shows
 * them.
 */
const TABS: Readonly<Record<string, string>> = {
  subscription: 'subscriptions',
  payment: 'payments',
  refund: 'payments',
  credit: 'credits',
};

/**
 * Finds objects by id, e-mail address or external id, and opens the object if there is only one.
 */
export const Search = (): JSX.Element => {
  const { query } = useQuery();
  const { route } = useLocation();
  const text = (query['q'] ?? '').trim();
  const { state, reload } = useLoaded(`search/${text}`, (signal) => findMatches(text, signal));
  const matches = state.kind === 'ready' ? state.value : [];
  const only = matches.length === 1 ? matches[0] : undefined;
  useEffect(() => {
    if (only !== undefined) route(createTenantPath(only.path), true);
  }, [only?.path]);
  return (
    <Page
      title={`Search for “${text}”`}
      call={{
        method: 'GET',
        path: `/v1/search?q=${encodeURIComponent(text)}`,
        sdk: `const { data } = await service.search.find({ q: ${JSON.stringify(text)} });`,
      }}
    >
      <Card flush>
        <LoadedValue state={state} retry={reload}>
          {(found) =>
            found.length === 0 ? (
              <Empty
                title="Nothing has this id or address"
                action={
                  <PageLink to={maySee('/subscribers') ? '/subscribers' : ''}>
                    {maySee('/subscribers') ? 'All subscribers' : 'Home'}
                  </PageLink>
                }
              >
                An id is searched in this tenant and environment only. Take the whole{' '}
                {hasRight('pii:read')
                  ? 'id, e-mail address or external id.'
                  : 'id or external id. Your role does not find people by e-mail address here.'}
              </Empty>
            ) : (
              <Table
                label="Matches"
                rows={found}
                getId={({ id }) => id}
                columns={[
                  { title: 'Kind', cell: ({ kind }) => kind },
                  {
                    title: 'Name',
                    cell: (match) => (
                      <a class="cell" href={createTenantPath(match.path)}>
                        {match.text}
                      </a>
                    ),
                  },
                  { title: 'Id', cell: ({ id }) => <code class="muted">{id}</code> },
                ]}
              />
            )
          }
        </LoadedValue>
      </Card>
    </Page>
  );
};

const findMatches = async (text: string, signal: AbortSignal): Promise<readonly Match[]> => {
  if (text === '') return [];
  if (!may('search.find')) return matchByPrefix(text);
  const { data } = await service().search.find({ q: text }, { signal });
  return data.map(createMatch);
};

const createMatch = ({ type, id, title, subscriber_id: subscriberId }: SearchResult): Match => ({
  kind: type.replaceAll('_', ' '),
  id,
  text: title,
  path: findPath(type, id, subscriberId),
});

const findPath = (type: string, id: string, subscriberId: string | null): string => {
  const page = PAGES.find(([each]) => each === type);
  if (page !== undefined) return page[2] + id;
  const tab = TABS[type];
  if (subscriberId === null) return type === 'plan' ? `/subscribers?plan=${id}` : '/api-keys';
  return `/subscribers/${subscriberId}${tab === undefined ? '' : `?tab=${tab}`}`;
};

/** Returns the page for an id by its prefix, for roles that may not search. */
const matchByPrefix = (text: string): readonly Match[] =>
  PAGES.filter(([, prefix]) => text.startsWith(prefix)).map(([kind, , path]) => ({
    kind,
    id: text,
    text,
    path: path + text,
  }));
