import type { Subscription } from '@subscription-event-service/sdk';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { statusOf, useLoaded } from '../../api/load';
import { service } from '../../api/service';
import { Card, Empty, Facts, Failure, Skeleton, Status, exactTime, Time } from '../../ui/basics';
import { formatTime } from '../../ui/format';
import type { SubscriberCard } from './subscriber-card';

const STEPS = 500;

/** What a subscription looked like at any instant since it began: the log remembers all of it. */
export const StateAtInstant = ({ card }: { card: SubscriberCard }): JSX.Element => {
  const [subscription] = card.subscriptions;
  return (
    <Card title="State at an instant">
      {subscription === undefined ? (
        <Empty title="No subscription">There is no state to look back at.</Empty>
      ) : (
        <StateOf subscription={subscription} />
      )}
    </Card>
  );
};

const StateOf = ({ subscription }: { subscription: Subscription }): JSX.Element => {
  const [now] = useState(() => Date.now());
  const begin = new Date(subscription.created_at).getTime();
  const [step, setStep] = useState(STEPS);
  const at = new Date(begin + ((now - begin) * step) / STEPS).toISOString();
  const { state } = useLoaded(`${subscription.id}@${at}`, (signal) =>
    service().subscriptions.get(subscription.id, { at }, { signal }),
  );
  return (
    <div class="stack">
      <label>
        <span class="visually-hidden">Instant</span>
        <input
          type="range"
          min={0}
          max={STEPS}
          value={step}
          style="width:100%"
          aria-valuetext={formatTime(at)}
          onInput={(event) => {
            setStep(Number(event.currentTarget.value));
          }}
        />
      </label>
      <p>
        <strong>
          <Time at={at} exact />
        </strong>
      </p>
      {state.kind === 'loading' ? <Skeleton lines={4} /> : null}
      {state.kind === 'failed' ? <Before error={state.error} /> : null}
      {state.kind === 'ready' ? (
        <Facts
          items={[
            ['Plan', state.value.plan],
            ['Status', <Status value={state.value.status} />],
            ['Payment', <Status value={state.value.payment_state} />],
            [
              'Period',
              <>
                <Time at={state.value.current_period_start} exact /> to{' '}
                <Time at={state.value.current_period_end} exact />
              </>,
            ],
            ['Cancels', exactTime(state.value.cancel_at)],
          ]}
        />
      ) : null}
    </div>
  );
};

const Before = ({ error }: { error: unknown }): JSX.Element =>
  statusOf(error) === 404 ? (
    <p class="muted">The subscription did not exist then.</p>
  ) : (
    <Failure error={error} />
  );
