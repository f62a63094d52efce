import type { Payment, Plan, Subscription } from '@subscription-event-service/sdk';
import type { JSX } from 'preact';
import { useLoaded } from '../../api/load';
import { readPlans } from '../../api/names';
import { readAllPages, service } from '../../api/service';
import { may } from '../../api/session';
import { LoadedValue, Money } from '../../ui/basics';
import { Dialog } from '../../ui/dialog';
import { Form } from '../../ui/form';
import { formatMoney } from '../../ui/format';
import { formatPrice } from './plans';

interface Charge {
  /** The open payment of the period that still runs; undefined if a new period begins. */
  readonly unpaid: Payment | undefined;
  readonly plan: Plan | undefined;
}

const loadCharge = async (
  { id, status, plan: planId }: Subscription,
  signal: AbortSignal,
): Promise<Charge> => {
  const [plans, payments] = await Promise.all([
    readPlans(signal),
    status === 'lapsed' && may('payments.list')
      ? readAllPages(service().payments.list({ subscription_id: id, limit: 100 }, { signal }))
      : [],
  ]);
  return {
    unpaid: payments.find(isUnpaidPeriod),
    plan: plans.find((plan) => plan.id === planId),
  };
};

/** True for the payment that the service tries again, instead of beginning a new period. */
const isUnpaidPeriod = ({
  status,
  reason,
  period_start: start,
  period_end: end,
}: Payment): boolean =>
  status === 'failed' &&
  reason !== 'reactivation' &&
  Date.parse(start) <= Date.now() &&
  Date.now() < Date.parse(end);

/** True if resuming charges a new period, because no paid time was left when the pause began. */
export const isResumedForMoney = ({
  paused_at: pausedAt,
  current_period_end: end,
}: Subscription): boolean => pausedAt !== null && Date.parse(pausedAt) >= Date.parse(end);

/** Reactivates or resumes a subscription after saying what this charges. */
export const RestartDialog = ({
  subscription,
  onClose,
  onDone,
}: {
  subscription: Subscription;
  onClose: () => void;
  onDone: (text: string) => void;
}): JSX.Element => {
  const { state, reload } = useLoaded('charge', (signal) => loadCharge(subscription, signal));
  const isPaused = subscription.status === 'paused';
  const action = isPaused ? 'Resume' : 'Reactivate';
  const submit = async (): Promise<void> => {
    await (isPaused
      ? service().subscriptions.resume(subscription.id, {})
      : service().subscriptions.reactivate(subscription.id));
    onDone('The subscription is active again.');
  };
  return (
    <Dialog title={`${action} the subscription`} open onClose={onClose}>
      <LoadedValue state={state} retry={reload}>
        {({ unpaid, plan }) => {
          const charged = unpaid ?? plan;
          return (
            <Form
              action={
                charged === undefined
                  ? action
                  : `${action} for ${formatMoney(charged.amount, charged.currency)}`
              }
              onSubmit={submit}
              onCancel={onClose}
            >
              <p>
                {unpaid !== undefined ? (
                  <>
                    The period goes on, and its open payment of <Money {...unpaid} /> is tried now.
                  </>
                ) : plan === undefined ? (
                  'A new period begins, and the price of the plan is charged now.'
                ) : (
                  `A new period of ${plan.name} begins, and its price, ${formatPrice(plan)}, is charged now. Discounts and credits are taken off.`
                )}{' '}
                If the payment is declined, the subscription stays as it is.
              </p>
            </Form>
          );
        }}
      </LoadedValue>
    </Dialog>
  );
};
