import type { TimelineItem } from '@subscription-event-service/sdk';
import type { JSX } from 'preact';
import { useList } from '../../api/load';
import { ROW_PAUSE_MS, useNames } from '../../api/names';
import { createLoader, service } from '../../api/service';
import { Button, Card, Empty, Failure, Json, Money, Skeleton, Time } from '../../ui/basics';
import { formatClock, formatDate } from '../../ui/format';
import { createTenantPath } from '../../ui/page';

/** The events of a subscriber, newest first, with their actors. */
export const Timeline = ({ subscriberId }: { subscriberId: string }): JSX.Element => {
  const list = useList<TimelineItem>({
    key: subscriberId,
    getId: ({ id }) => id,
    load: createLoader((page, options) =>
      service().subscribers.timeline(subscriberId, page, options),
    ),
  });
  return (
    <Card>
      {list.error !== null && list.rows.length === 0 ? (
        <Failure error={list.error} retry={list.reload} />
      ) : null}
      {list.isLoading && list.rows.length === 0 ? <Skeleton lines={6} /> : null}
      {!list.isLoading && list.error === null && list.rows.length === 0 ? (
        <Empty title="Nothing has happened yet">
          Events appear here as soon as they are stored.
        </Empty>
      ) : null}
      {list.newRows.length === 0 ? null : (
        <p class="new-rows">
          <Button small onClick={list.showNew}>
            {list.newRows.length} new
          </Button>
        </p>
      )}
      <ol class="timeline">
        {list.rows.map((item, index) => (
          <>
            {findDay(item) === findDay(list.rows[index - 1]) ? null : (
              <li class="day" key={`day-${item.id}`}>
                {findDay(item)}
              </li>
            )}
            <Item key={item.id} item={item} />
          </>
        ))}
      </ol>
      {list.hasMore ? (
        <Button small onClick={list.loadMore} refusal={list.isLoading ? 'Loading …' : null}>
          Show older
        </Button>
      ) : null}
    </Card>
  );
};

/** Returns the local day of an item as a heading. */
const findDay = (item: TimelineItem | undefined): string | undefined =>
  item === undefined ? undefined : formatDate(item.created_at);

const Item = ({ item }: { item: TimelineItem }): JSX.Element => (
  <li class={chooseTone(item.type)}>
    <details>
      <summary>
        <span>
          <strong>{formatEventType(item.type)}</strong>
          <EventAmount data={item.data} />
          <EventObject data={item.data} />
          <span class="muted">{explainEvent(item).replace(/^(?=.)/, ' · ')}</span>
        </span>
        <span class="muted small">
          {item.actor === null ? '' : `${item.actor} · `}
          <Time at={item.created_at} show={formatClock} />
        </span>
      </summary>
      <div class="stack">
        <Words {...item.data} />
        <Json label={`Data of ${item.type}`} value={item.data} />
        <div class="row spread small">
          <a href={createTenantPath(`/events/${item.id}`)}>Open the event and its deliveries</a>
          <span class="muted">event number {item.sequence} of this subscriber</span>
        </div>
      </div>
    </details>
  </li>
);

interface Written {
  readonly comment?: string | null;
  readonly note?: string | null;
  readonly refund?: Written;
}

/** Shows what a person has written about an event: a comment, or the note of a refund. */
const Words = ({ comment, note, refund }: Written): JSX.Element | null => {
  const text = comment ?? note ?? refund?.note;
  return text == null ? null : <p class="typed">{text}</p>;
};

interface Named {
  readonly motion_name?: string;
  readonly to_plan?: string;
  readonly cohort_id?: string;
}

/** Returns the name of the motion, the new plan or the cohort of an event. */
const EventObject = ({ data }: { data: TimelineItem['data'] }): JSX.Element => {
  const findPlan = useNames('plans', ROW_PAUSE_MS);
  const findCohort = useNames('cohorts', ROW_PAUSE_MS);
  const { motion_name: motion, to_plan: plan, cohort_id: cohort } = data as Named;
  const name = motion ?? (plan === undefined ? cohort && findCohort(cohort) : findPlan(plan));
  return <>{name === undefined ? '' : ` ${name}`}</>;
};

interface Details {
  readonly payment?: { readonly failure?: { readonly message?: string | null } | null };
  readonly ticket?: { readonly topic?: string };
}

/** The codes of reasons in words; other codes are words already. */
const REASONS: Readonly<Record<string, string>> = {
  period_end: 'at the end of the period',
  trial_end: 'at the end of the trial',
  trial_converted: 'after the trial',
  requested: 'on request',
  cancellation_requested: 'on request',
  scheduled: 'as scheduled',
  payment_failed: 'because a payment failed',
  payment_disputed: 'because a payment was disputed',
  merchant: 'by your team',
};

/** Returns why the event happened, or what it is about: why a payment failed, the topic of a ticket. */
export const explainEvent = ({
  type,
  reason,
  data,
}: Pick<TimelineItem, 'type' | 'data'> & { readonly reason?: string | null }): string => {
  const { payment, ticket } = data as Details;
  const failure = type === 'payment.failed' ? payment?.failure?.message : undefined;
  const code = reason ?? ticket?.topic ?? '';
  return failure ?? REASONS[code] ?? code.replaceAll('_', ' ');
};

interface Amount {
  readonly amount?: unknown;
  readonly currency?: unknown;
}

/** Returns the amount of an event: its own, or that of its refund or payment. */
export const EventAmount = ({ data }: { data: TimelineItem['data'] }): JSX.Element | null => {
  const own = data as Amount & { readonly payment?: Amount; readonly refund?: Amount };
  const { amount, currency } = own.amount === undefined ? (own.refund ?? own.payment ?? own) : own;
  return typeof amount === 'number' && typeof currency === 'string' ? (
    <>
      {' '}
      <Money amount={amount} currency={currency} />
    </>
  ) : null;
};

const BAD_OUTCOME = /(failed|lapsed|cancelled|past_due|disputed|erased|expired|declined)$/;
const GOOD =
  /(succeeded|activated|renewed|recovered|created|resumed|reactivated|accepted|applied|resolved)$/;

/** Returns the colour of an event. The title says the same as the colour. */
const chooseTone = (type: string): string =>
  BAD_OUTCOME.test(type) ? 'bad' : GOOD.test(type) ? 'ok' : '';

/** Formats an event type: `payment.succeeded` becomes "Payment succeeded". */
const formatEventType = (type: string): string => {
  const text = type.replace('.', ' ').replaceAll('_', ' ');
  return text.slice(0, 1).toUpperCase() + text.slice(1);
};
