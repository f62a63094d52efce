import type { JSX } from 'preact';
import { useLoaded } from '../../api/load';
import { readFirstPage, service } from '../../api/service';
import { Failure, Money, Notice, Time } from '../../ui/basics';

/** Says that the newest payment of a subscriber failed, why, and what to do next. */
export const FailedPayment = ({ subscriberId }: { subscriberId: string }): JSX.Element | null => {
  const { state, reload } = useLoaded(
    subscriberId,
    (signal) =>
      readFirstPage(service().payments.list({ subscriber_id: subscriberId, limit: 1 }, { signal })),
    10_000,
  );
  if (state.kind === 'failed') return <Failure error={state.error} retry={reload} />;
  const payment = state.kind === 'ready' ? state.value.data[0] : undefined;
  if (payment === undefined || payment.failure === null || payment.status === 'succeeded') {
    return null;
  }
  const { amount, currency, failure, status, next_attempt_at: next } = payment;
  return (
    <Notice tone="bad">
      <strong>
        The last payment, <Money amount={amount} currency={currency} />, failed:{' '}
        {failure.message ?? failure.code}
      </strong>{' '}
      {next === null ? (
        'It is not tried again by itself.'
      ) : (
        <>
          Next try <Time at={next} />.
        </>
      )}{' '}
      {status === 'pending'
        ? 'Ask the subscriber for another payment method: your backend sets it, and the payment is tried with it.'
        : 'Ask the subscriber for another payment method, then reactivate the subscription or start a new one.'}
    </Notice>
  );
};
