import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { useLoaded } from '../api/load';
import { firstPage, service } from '../api/service';
import { may } from '../api/session';
import { Card, Empty, When } from '../ui/basics';
import { Page, tenantPath } from '../ui/page';
import { useQuery } from '../ui/query';
import { Table } from '../ui/table';

interface Match {
  readonly kind: string;
  readonly id: string;
  readonly text: string;
  /** The page of the object, below the tenant. */
  readonly path: string;
}

/** Which page shows an object, by the prefix of its id; an id opens without being looked up. */
const PAGES: readonly (readonly [prefix: string, kind: string, path: string])[] = [
  ['evt_', 'Event', '/events/'],
  ['subscriber_', 'Subscriber', '/subscribers/'],
  ['dest_', 'Destination', '/destinations/'],
  ['rep_', 'Replay', '/replays/'],
  ['tkt_', 'Ticket', '/tickets/'],
  ['cohort_', 'Cohort', '/cohorts/'],
  ['mot_', 'Motion', '/motions/'],
];

/** Finds what an id, an e-mail address or an external id names, and opens it if it is one thing. */
export const Search = (): JSX.Element => {
  const { query } = useQuery();
  const { route } = useLocation();
  const text = (query['q'] ?? '').trim();
  const { state, reload } = useLoaded(`search/${text}`, (signal) => find(text, signal));
  const matches = state.kind === 'ready' ? state.value : [];
  const only = matches.length === 1 ? matches[0] : undefined;
  useEffect(() => {
    if (only !== undefined) route(tenantPath(only.path), true);
  }, [only?.path]);
  return (
    <Page title={`Search for “${text}”`}>
      <Card flush>
        <When state={state} retry={reload}>
          {(found) =>
            found.length === 0 ? (
              <Empty title="Nothing has this id or address">
                An id is searched in this tenant and environment only. Take the whole id, e-mail
                address or external id.
              </Empty>
            ) : (
              <Table
                label="Matches"
                rows={found}
                idOf={({ id }) => id}
                columns={[
                  { title: 'Kind', cell: ({ kind }) => kind },
                  {
                    title: 'Name',
                    cell: (match) => (
                      <a class="cell" href={tenantPath(match.path)}>
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

const find = async (text: string, signal: AbortSignal): Promise<readonly Match[]> => {
  if (text === '') return [];
  const page = PAGES.find(([prefix]) => text.startsWith(prefix));
  if (page !== undefined) {
    const [, kind, path] = page;
    return [{ kind, id: text, text, path: `${path}${text}` }];
  }
  if (text.startsWith('sub_')) return [await subscriberOf(text, signal)];
  if (text.startsWith('pay_')) return [await payerOf(text, signal)];
  return may('subscribers:read') ? findSubscribers(text, signal) : [];
};

/** A subscription stands on the page of its subscriber. */
const subscriberOf = async (id: string, signal: AbortSignal): Promise<Match> => {
  const { subscriber_id: subscriberId } = await service().subscriptions.get(id, {}, { signal });
  return {
    kind: 'Subscription',
    id,
    text: id,
    path: `/subscribers/${subscriberId}?tab=subscriptions`,
  };
};

const payerOf = async (id: string, signal: AbortSignal): Promise<Match> => {
  const { subscriber_id: subscriberId } = await service().payments.get(id, { signal });
  return { kind: 'Payment', id, text: id, path: `/subscribers/${subscriberId}?tab=payments` };
};

const findSubscribers = async (text: string, signal: AbortSignal): Promise<readonly Match[]> => {
  const query = text.includes('@') ? { email: text } : { external_id: text };
  const { data } = await firstPage(service().subscribers.list(query, { signal }));
  return data.map(({ id, email, external_id: externalId }) => ({
    kind: 'Subscriber',
    id,
    text: email ?? externalId ?? id,
    path: `/subscribers/${id}`,
  }));
};
