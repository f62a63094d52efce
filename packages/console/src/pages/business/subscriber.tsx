import type { Subscriber } from '@subscription-event-service/sdk';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { useLastPart } from '../../ui/address';
import { useLoaded } from '../../api/load';
import { useNames } from '../../api/names';
import { readAllPages, service } from '../../api/service';
import { may } from '../../api/session';
import {
  Breakable,
  Card,
  Copyable,
  Facts,
  Money,
  Notice,
  showExactTime,
  Stat,
  Status,
  Time,
  Waiting,
} from '../../ui/basics';
import { type ApiCall, Page, Tabs, createTenantPath } from '../../ui/page';
import { useQuery } from '../../ui/query';
import { FailedPayment } from './failed-payment';
import { SubscriberActions } from './subscriber-actions';
import type { SubscriberCard } from './subscriber-card';
import { CreditList, PaymentList, SubscriptionList, TicketList } from './subscriber-lists';
import { StateAtInstant } from './subscriber-state';
import { Timeline } from './subscriber-timeline';
import { nameSubscriber, showTags } from './subscribers';

const TABS = [
  ['timeline', 'Timeline'],
  ['subscriptions', 'Subscriptions'],
  ['payments', 'Payments'],
  ['tickets', 'Tickets'],
  ['credits', 'Credits'],
  ['history', 'At an instant'],
] as const;

type TabName = (typeof TABS)[number][0];

const readTab = (query: Readonly<Record<string, string>>): TabName =>
  TABS.find(([name]) => name === query['tab'])?.[0] ?? 'timeline';

/** The API call behind a tab. `at` is the chosen instant. */
const createCall = (id: string, tab: TabName, at = new Date().toISOString()): ApiCall => {
  switch (tab) {
    case 'timeline':
    case 'credits': {
      const list = tab === 'credits' ? 'credits.list' : 'subscribers.timeline';
      return {
        method: 'GET',
        path: `/v1/subscribers/${id}/${tab}`,
        sdk: `for await (const item of service.${list}('${id}')) {\n  console.log(item);\n}`,
      };
    }
    case 'history':
      return {
        method: 'GET',
        path: `/v1/subscribers/${id}?at=${at}`,
        sdk: `const subscriber = await service.subscribers.get('${id}', { at: '${at}' });`,
      };
    default:
      return {
        method: 'GET',
        path: `/v1/${tab}?subscriber_id=${id}`,
        sdk: `for await (const item of service.${tab}.list({ subscriber_id: '${id}' })) {\n  console.log(item);\n}`,
      };
  }
};

/** The page of a subscriber: the record, the possible actions, and the history. */
export const SubscriberPage = (): JSX.Element => {
  const id = useLastPart();
  const { query } = useQuery();
  const { state, reload } = useLoaded<SubscriberCard>(
    id,
    async (signal) => {
      const [subscriber, subscriptions] = await Promise.all([
        service().subscribers.get(id, {}, { signal }),
        readAllPages(service().subscriptions.list({ subscriber_id: id, limit: 100 }, { signal })),
      ]);
      return { subscriber, subscriptions };
    },
    10_000,
  );
  const card = state.kind === 'ready' ? state.value : null;
  // The tabs are loaded again after an action, so that its effect is visible at once.
  const [actions, setActions] = useState(0);
  const showResult = (): void => {
    setActions((count) => count + 1);
    reload();
  };
  return (
    <Page
      title={card === null ? 'Subscriber' : nameSubscriber(card.subscriber)}
      crumbs={[['Subscribers', createTenantPath('/subscribers')]]}
      badge={
        card?.subscriber.subscription == null ? null : (
          <Status value={card.subscriber.subscription.status} />
        )
      }
      actions={card === null ? null : <SubscriberActions card={card} onDone={showResult} />}
      call={createCall(id, readTab(query), query['at'])}
    >
      <Waiting state={state} retry={reload} lines={8} />
      {card === null ? null : <Content card={card} actions={actions} />}
    </Page>
  );
};

const Content = ({
  card,
  actions,
}: {
  card: SubscriberCard;
  /** Counts the actions. A new number loads the tabs again. */
  actions: number;
}): JSX.Element => {
  const { query, href } = useQuery();
  const tab = readTab(query);
  return (
    <>
      {card.subscriber.erased_at === null ? null : (
        <Notice tone="warn">
          This subscriber was erased <Time at={card.subscriber.erased_at} />. Personal data is gone
          for good; amounts, dates and states stay.
        </Notice>
      )}
      {may('payments.list') ? (
        <FailedPayment key={actions} subscriberId={card.subscriber.id} />
      ) : null}
      <Numbers card={card} />
      <div class="with-aside">
        <div class="stack wide">
          <Tabs
            label="About this subscriber"
            current={tab}
            tabs={TABS.map(([name, title]) => [
              name,
              title,
              href({ tab: name === 'timeline' ? null : name }),
            ])}
          />
          <TabContent key={actions} tab={tab} card={card} />
        </div>
        <aside aria-label="Details">
          <Card title="Details">
            <Details subscriber={card.subscriber} />
          </Card>
        </aside>
      </div>
    </>
  );
};

const TabContent = ({ tab, card }: { tab: TabName; card: SubscriberCard }): JSX.Element => {
  const { id } = card.subscriber;
  switch (tab) {
    case 'timeline':
      return <Timeline subscriberId={id} />;
    case 'subscriptions':
      return <SubscriptionList subscriptions={card.subscriptions} />;
    case 'payments':
      return <PaymentList subscriberId={id} />;
    case 'tickets':
      return <TicketList subscriberId={id} />;
    case 'credits':
      return <CreditList subscriberId={id} />;
    case 'history':
      return <StateAtInstant card={card} />;
  }
};

const Numbers = ({
  card: { subscriber, subscriptions },
}: {
  card: SubscriberCard;
}): JSX.Element => {
  const findPlanName = useNames('plans');
  const primary = subscriptions.find(({ id }) => id === subscriber.subscription?.id);
  const dates = [
    ['Ended', primary?.cancelled_at ?? primary?.lapsed_at],
    ['Cancels', primary?.cancel_at],
    ['Pauses', primary?.pauses_at],
    ['Resumes', primary?.resumes_at],
    ['Paused', primary?.paused_at],
    ['Period ends', primary?.current_period_end],
  ] as const;
  const [label, at] = dates.find(([, date]) => date != null) ?? dates[5];
  return (
    <div class="grid-4">
      <Stat
        label="Plan"
        value={
          subscriber.subscription === null ? (
            '–'
          ) : (
            <span class="words">{findPlanName(subscriber.subscription.plan)}</span>
          )
        }
        note={
          subscriber.subscription === null
            ? 'If the first charge is declined, nothing is kept here. Your backend got the reason as the response 402.'
            : primary?.pending_plan == null
              ? undefined
              : `Changes to ${findPlanName(primary.pending_plan)} at renewal`
        }
      />
      <Stat
        label={label}
        value={<Time at={at} />}
        note={
          primary?.payment_state === 'past_due' ? (
            <Status value="past_due" />
          ) : label === 'Pauses' && primary?.resumes_at != null ? (
            <>
              resumes <Time at={primary.resumes_at} />
            </>
          ) : undefined
        }
      />
      <Stat
        label="Paid in all"
        value={
          subscriber.paid_currency === null ? (
            '–'
          ) : (
            <Money amount={subscriber.total_paid} currency={subscriber.paid_currency} />
          )
        }
        note={
          subscriber.last_payment_at === null ? undefined : (
            <>
              last paid <Time at={subscriber.last_payment_at} />
            </>
          )
        }
      />
      <Stat
        label="Engagement"
        value={subscriber.engagement_score ?? '–'}
        note="0 to 100, as your product reports it"
      />
    </div>
  );
};

const Details = ({ subscriber }: { subscriber: Subscriber }): JSX.Element => {
  const findName = useNames('cohorts');
  return (
    <Facts
      items={[
        ['Id', <Copyable text={subscriber.id} />],
        ['External id', subscriber.external_id],
        [
          'E-mail',
          subscriber.email == null ? (
            <span class="muted">not shown</span>
          ) : (
            <Breakable text={subscriber.email} />
          ),
        ],
        ['Registered', showExactTime(subscriber.created_at)],
        ['First active', showExactTime(subscriber.activated_at)],
        ['Tags', showTags(subscriber.tags)],
        [
          'Cohorts',
          subscriber.cohort_ids.length === 0 ? null : (
            <span class="row">
              {subscriber.cohort_ids.map((cohortId) => (
                <a href={createTenantPath(`/cohorts/${cohortId}`)}>{findName(cohortId)}</a>
              ))}
            </span>
          ),
        ],
        ...Object.entries(subscriber.metadata).map(
          ([key, value]) => [`metadata.${key}`, value ?? ''] as const,
        ),
      ]}
    />
  );
};
