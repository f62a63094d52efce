import type { SearchResults } from '@subscription-event-service/sdk';
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { useLoaded } from '../api/load';
import { service } from '../api/service';
import { may, maySee } from '../api/session';
import { Card, Empty, When } from '../ui/basics';
import { Page, createTenantPath } from '../ui/page';
import { useQuery } from '../ui/query';
import { Table } from '../ui/table';
import { PageLink } from './links';

type SearchResult = SearchResults['data'][number];

interface Match {
  readonly kind: string;
  readonly id: string;
  readonly text: string;
  /** The page of the object, below the tenant. */
  readonly path: string;
}

/** The pages of kinds of objects, by what the search calls them and by the prefix of their ids. */
const PAGES: readonly (readonly [type: string, prefix: string, path: string])[] = [
  ['event', 'evt_', '/events/'],
  ['subscriber', 'subscriber_', '/subscribers/'],
  ['destination', 'dest_', '/destinations/'],
  ['replay', 'rep_', '/replays/'],
  ['ticket', 'tkt_', '/tickets/'],
  ['cohort', 'cohort_', '/cohorts/'],
  ['motion', 'mot_', '/motions/'],
];

/** Objects that have no page of their own, with the tab of their subscriber's page. */
const TABS: Readonly<Record<string, string>> = {
  subscription: 'subscriptions',
  payment: 'payments',
  refund: 'payments',
  credit: 'credits',
};

/** Finds what an id, an e-mail address or an external id names, and opens it if it is one thing. */
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
        <When state={state} retry={reload}>
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
                An id is searched in this tenant and environment only. Take the whole id, e-mail
                address or external id.
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
        </When>
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

/** Roles that may not search still open what they have the id of. */
const matchByPrefix = (text: string): readonly Match[] =>
  PAGES.filter(([, prefix]) => text.startsWith(prefix)).map(([kind, , path]) => ({
    kind,
    id: text,
    text,
    path: path + text,
  }));
