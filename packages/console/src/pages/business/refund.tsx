import type { CreateRefundBody, Payment } from '@subscription-event-service/sdk';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { callTenant } from '../../api/calls';
import { useKeyedCall } from '../../api/keyed-call';
import { useLoaded } from '../../api/load';
import { service } from '../../api/service';
import { membership } from '../../api/session';
import { Money } from '../../ui/basics';
import { Dialog } from '../../ui/dialog';
import { Form, SelectField, TextField } from '../../ui/form';
import { formatMoney } from '../../ui/format';
import { parseMoney } from '../../ui/money';
import { showToast } from '../../ui/toast';

/**
 * Refunds a payment, or a part of it. A double click refunds once.
 */
export const RefundDialog = ({
  payment,
  onClose,
}: {
  payment: Payment;
  onClose: () => void;
}): JSX.Element => {
  const [remaining, setRemaining] = useState(payment.amount - payment.amount_refunded);
  const limit = useRefundLimit();
  // The limit is for all refunds of a payment together.
  const most = Math.min(remaining, (limit ?? Infinity) - (payment.amount - remaining));
  const [amount, setAmount] = useState('');
  const [reason, setReason] = useState<CreateRefundBody['reason']>('requested_by_customer');
  const [destination, setDestination] = useState<'original' | 'credit'>('original');
  const [note, setNote] = useState('');
  const callOnce = useKeyedCall();
  const wanted = amount.trim() === '' ? most : parseMoney(amount, payment.currency);
  const isWrong = wanted === null || wanted <= 0 || wanted > most;
  const complaint = isWrong
    ? remaining <= 0
      ? 'This payment is fully refunded.'
      : most <= 0
        ? 'Your role may refund no more of this payment.'
        : `Enter an amount up to ${formatMoney(most, payment.currency)}.`
    : null;
  const submit = async (): Promise<void> => {
    const body: CreateRefundBody = {
      reason,
      destination,
      ...(wanted === null ? {} : { amount: wanted }),
      ...(note === '' ? {} : { note }),
    };
    try {
      await callOnce((options) => service().refunds.create(payment.id, body, options));
    } catch (error) {
      const left = readRemaining(error);
      if (left === null) throw error;
      setRemaining(left);
      throw new Error('A part of the payment was refunded meanwhile.', { cause: error });
    }
    showToast('The refund is under way.');
    onClose();
  };
  return (
    <Dialog title="Refund a payment" open onClose={onClose}>
      <Form
        action={isWrong ? 'Refund' : `Refund ${formatMoney(wanted, payment.currency)}`}
        onSubmit={submit}
        onCancel={onClose}
        refusal={complaint}
      >
        <p>
          <Money amount={remaining} currency={payment.currency} /> of{' '}
          <Money amount={payment.amount} currency={payment.currency} /> can be refunded
          {limit === null ? '' : `, by your role ${formatMoney(limit, payment.currency)} in all`}.
          The subscription stays as it is.
        </p>
        <TextField
          label={`Amount in ${payment.currency}`}
          name="amount"
          value={amount}
          onValue={setAmount}
          placeholder={most < remaining ? formatMoney(most, payment.currency) : 'All that is left'}
        />
        <SelectField
          label="Reason"
          value={reason}
          onValue={setReason}
          options={[
            ['requested_by_customer', 'Requested by the customer'],
            ['duplicate', 'Charged twice'],
            ['fraudulent', 'Fraudulent'],
            ['other', 'Another reason'],
          ]}
        />
        <SelectField
          label="Where it goes"
          value={destination}
          onValue={setDestination}
          options={[
            ['original', 'The payment method that paid'],
            ['credit', 'Credit for coming charges'],
          ]}
        />
        <TextField label="Note for your team" value={note} onValue={setNote} maxLength={500} />
      </Form>
    </Dialog>
  );
};

/** Returns what can still be refunded, if the service refused an amount above it; otherwise null. */
const readRemaining = (error: unknown): number | null =>
  (error as { readonly details?: { readonly remaining?: number } } | null)?.details?.remaining ??
  null;

interface Limit {
  readonly settings: { readonly support_refund_limit: number | null };
}

/**
 * Returns the most that the person's role may refund of a payment; null if it has no limit. The
 * service compares the amounts whatever their currencies are.
 */
const useRefundLimit = (): number | null => {
  const { state } = useLoaded('refund-limit', async (signal) =>
    membership.value?.role === 'support' ? callTenant<Limit>('/settings', { signal }) : null,
  );
  return state.kind === 'ready' ? (state.value?.settings.support_refund_limit ?? null) : null;
};
