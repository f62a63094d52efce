import type { Subscriber, Subscription } from '@subscription-event-service/sdk';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { type Loaded, readStatus, useLoaded } from '../../api/load';
import { useNames } from '../../api/names';
import { service } from '../../api/service';
import { may } from '../../api/session';
import {
  Card,
  showExactTime,
  Facts,
  Failure,
  Money,
  Skeleton,
  Status,
  Time,
} from '../../ui/basics';
import { formatTime } from '../../ui/format';
import { useQuery } from '../../ui/query';
import { useSettled } from '../../ui/settled';
import type { SubscriberCard } from './subscriber-card';
import { hasEnded } from './subscriber-lists';
import { showTags } from './subscribers';

const STEPS = 500;
/** The state is loaded when the slider has not moved for this time, in ms. */
const SETTLE_MS = 150;

/** Returns an instant as a field for local times has it: "2026-11-28T10:21:04". */
const toLocal = (ms: number): string =>
  new Date(ms - new Date(ms).getTimezoneOffset() * 60_000).toISOString().slice(0, 19);

/** Shows the state of the subscriber at any instant since the registration. */
export const StateAtInstant = ({ card }: { card: SubscriberCard }): JSX.Element => {
  const { query, set } = useQuery();
  const [now] = useState(() => Date.now());
  const begin = Date.parse(card.subscriber.created_at);
  // The state of the future is unknown.
  const shown = Math.min(Date.parse(query['at'] ?? '') || now, now);
  const step = Math.round(((shown - begin) / Math.max(1, now - begin)) * STEPS);
  const at = new Date(shown).toISOString();
  return (
    <Card title="State at an instant">
      <div class="stack">
        <label>
          <span class="visually-hidden">Instant</span>
          <input
            type="range"
            min={0}
            max={STEPS}
            value={step}
            aria-valuetext={formatTime(at)}
            onInput={(event) => {
              const chosen = begin + ((now - begin) * Number(event.currentTarget.value)) / STEPS;
              // The registration itself is the first instant with a state.
              set({ at: new Date(Math.ceil(chosen)).toISOString() });
            }}
          />
        </label>
        <p class="row spread small muted">
          <span>
            Registered <Time at={card.subscriber.created_at} />
          </span>
          <span>Now</span>
        </p>
        <div class="row spread">
          <strong>
            <Time at={at} exact />
          </strong>
          <label class="row tight small muted">
            Date and time
            <input
              type="datetime-local"
              step={1}
              max={toLocal(now)}
              value={toLocal(shown)}
              onChange={(event) => {
                const chosen = new Date(event.currentTarget.value);
                if (!Number.isNaN(+chosen)) set({ at: chosen.toISOString() });
              }}
            />
          </label>
        </div>
        <StateThen subscriberId={card.subscriber.id} at={at} />
      </div>
    </Card>
  );
};

interface Found {
  readonly subscriber: Subscriber;
  readonly subscription: Subscription | null;
}

const StateThen = ({ subscriberId, at }: { subscriberId: string; at: string }): JSX.Element => {
  const settled = useSettled(at, SETTLE_MS);
  const { state } = useLoaded<Found>(`${subscriberId}@${settled}`, async (signal) => {
    const subscriber = await service().subscribers.get(subscriberId, { at: settled }, { signal });
    const id = subscriber.subscription?.id;
    const subscription =
      id === undefined || !may('subscriptions.get')
        ? null
        : await service().subscriptions.get(id, { at: settled }, { signal });
    return { subscriber, subscription };
  });
  return <Then state={state} />;
};

const Then = ({ state }: { state: Loaded<Found> }): JSX.Element => {
  const findPlanName = useNames('plans');
  if (state.kind === 'loading') return <Skeleton lines={6} />;
  if (state.kind === 'failed') {
    return readStatus(state.error) === 404 ? (
      <p class="muted">The subscriber was not registered then.</p>
    ) : (
      <Failure error={state.error} />
    );
  }
  const { subscriber, subscription } = state.value;
  const status = subscription?.status ?? subscriber.subscription?.status;
  return (
    <Facts
      items={[
        [
          'Plan',
          subscriber.subscription === null ? (
            <span class="muted">none</span>
          ) : (
            findPlanName(subscriber.subscription.plan)
          ),
        ],
        ['Status', status === undefined ? null : <Status value={status} />],
        [
          'Payment',
          subscription === null || hasEnded(subscription.status) ? null : (
            <Status value={subscription.payment_state} />
          ),
        ],
        [
          'Period',
          subscription === null ? null : (
            <>
              <Time at={subscription.current_period_start} exact /> to{' '}
              <Time at={subscription.current_period_end} exact />
            </>
          ),
        ],
        ['Pauses', showExactTime(subscription?.pauses_at)],
        ['Resumes', showExactTime(subscription?.resumes_at)],
        ['Cancels', showExactTime(subscription?.cancel_at)],
        [
          'Paid until then',
          subscriber.paid_currency === null ? null : (
            <Money amount={subscriber.total_paid} currency={subscriber.paid_currency} />
          ),
        ],
        ['Engagement', subscriber.engagement_score],
        ['Tags', showTags(subscriber.tags)],
      ]}
    />
  );
};
