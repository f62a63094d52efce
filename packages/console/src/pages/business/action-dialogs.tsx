import type {
  CancelBody,
  GrantCreditBody,
  Subscriber,
  Subscription,
} from '@subscription-event-service/sdk';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { useKeyedCall } from '../../api/keyed-call';
import { describeError, useLoaded } from '../../api/load';
import { readAllPages, service } from '../../api/service';
import { Empty, Time, Waiting } from '../../ui/basics';
import { Dialog } from '../../ui/dialog';
import { Form, SelectField, TextField } from '../../ui/form';
import { formatMoney } from '../../ui/format';
import { createExample, parseMoney } from '../../ui/money';
import { loadCurrencies } from './currency-choice';

interface ActionProps {
  readonly onClose: () => void;
  /** Called with a message for the person. */
  readonly onDone: (text: string) => void;
}

type Effective = 'period_end' | 'immediately';

const EFFECTIVE: readonly (readonly [Effective, string])[] = [
  ['period_end', 'At the end of the period'],
  ['immediately', 'Now'],
];

export const PauseDialog = ({
  subscription,
  onClose,
  onDone,
}: ActionProps & { subscription: Subscription }): JSX.Element => {
  const [effective, setEffective] = useState<Effective>('period_end');
  const [resumesOn, setResumesOn] = useState('');
  const submit = async (): Promise<void> => {
    await service().subscriptions.pause(subscription.id, {
      effective,
      ...(resumesOn === '' ? {} : { resumes_at: `${resumesOn}T00:00:00Z` }),
    });
    onDone(effective === 'immediately' ? 'The subscription is paused.' : 'The pause is scheduled.');
  };
  return (
    <Dialog title="Pause the subscription" open onClose={onClose}>
      <Form action="Pause" onSubmit={submit} onCancel={onClose}>
        <SelectField
          label="When"
          value={effective}
          onValue={setEffective}
          options={EFFECTIVE}
          hint={
            effective === 'immediately' ? (
              'The time that is left is kept for later.'
            ) : (
              <>
                The period ends <Time at={subscription.current_period_end} exact />.
              </>
            )
          }
        />
        <TextField
          label="Resume on (UTC)"
          name="resumes_at"
          type="date"
          value={resumesOn}
          onValue={setResumesOn}
          hint="Left empty, the pause lasts until somebody resumes."
        />
      </Form>
    </Dialog>
  );
};

const FEEDBACK: readonly (readonly [NonNullable<CancelBody['feedback']> | '', string])[] = [
  ['', 'Not given'],
  ['too_expensive', 'Too expensive'],
  ['unused', 'Not used enough'],
  ['missing_features', 'Missing features'],
  ['switched_service', 'Switched to another service'],
  ['low_quality', 'Low quality'],
  ['customer_service', 'Customer service'],
  ['too_complex', 'Too complex'],
  ['other', 'Another reason'],
];

export const CancelDialog = ({
  subscription,
  onClose,
  onDone,
}: ActionProps & { subscription: Subscription }): JSX.Element => {
  const isPaused = subscription.status === 'paused';
  const [effective, setEffective] = useState<Effective>(isPaused ? 'immediately' : 'period_end');
  const [feedback, setFeedback] = useState<(typeof FEEDBACK)[number][0]>('');
  const [comment, setComment] = useState('');
  const submit = async (): Promise<void> => {
    await service().subscriptions.cancel(subscription.id, {
      effective,
      ...(feedback === '' ? {} : { feedback }),
      ...(comment === '' ? {} : { comment }),
    });
    onDone(
      effective === 'immediately'
        ? 'The subscription is cancelled.'
        : 'The cancellation is scheduled.',
    );
  };
  return (
    <Dialog title="Cancel the subscription" open onClose={onClose}>
      <Form
        action="Cancel the subscription"
        danger
        onSubmit={submit}
        onCancel={onClose}
        cancel="Keep the subscription"
      >
        <SelectField
          label="When"
          value={effective}
          onValue={setEffective}
          options={isPaused ? EFFECTIVE.slice(1) : EFFECTIVE}
        />
        <SelectField
          label="What the subscriber says"
          value={feedback}
          onValue={setFeedback}
          options={FEEDBACK}
        />
        <TextField label="Comment" value={comment} onValue={setComment} maxLength={1_000} />
      </Form>
    </Dialog>
  );
};

const CATEGORIES: readonly (readonly [NonNullable<GrantCreditBody['category']>, string])[] = [
  ['goodwill', 'Goodwill'],
  ['promotional', 'Promotional'],
];

/** The most that the service grants at once, in minor units. */
const CREDIT_MAX = 100_000_000_000;

export const CreditDialog = ({
  subscriber,
  onClose,
  onDone,
}: ActionProps & { subscriber: Subscriber }): JSX.Element => {
  const [amount, setAmount] = useState('');
  const paidIn = subscriber.paid_currency;
  const { state } = useLoaded('currencies', loadCurrencies);
  const known = state.kind === 'ready' ? state.value : [];
  const preset = paidIn ?? known[0] ?? 'USD';
  const [chosen, setCurrency] = useState('');
  const currency = chosen || preset;
  const [category, setCategory] = useState<(typeof CATEGORIES)[number][0]>('goodwill');
  const [note, setNote] = useState('');
  const callOnce = useKeyedCall();
  const wanted = parseMoney(amount, currency);
  const example = createExample(currency);
  const complaint =
    state.kind === 'loading'
      ? 'Loading …'
      : wanted === null || wanted === 0
        ? `Enter an amount such as ${example}.`
        : wanted > CREDIT_MAX
          ? `Enter an amount up to ${formatMoney(CREDIT_MAX, currency)}.`
          : null;
  const submit = async (): Promise<void> => {
    if (wanted === null) return;
    const body: GrantCreditBody = {
      amount: wanted,
      currency,
      category,
      ...(note === '' ? {} : { note }),
    };
    await callOnce((options) => service().credits.grant(subscriber.id, body, options));
    onDone('The credit is granted.');
  };
  return (
    <Dialog title="Grant a credit" open onClose={onClose}>
      <Form action="Grant" onSubmit={submit} onCancel={onClose} refusal={complaint}>
        <p class="muted">A credit pays before any charge, the one that expires first.</p>
        <TextField
          label="Amount"
          name="amount"
          value={amount}
          onValue={setAmount}
          placeholder={example}
          required
        />
        <SelectField
          label="Currency"
          name="currency"
          value={currency}
          onValue={setCurrency}
          options={[...new Set([preset, ...known])].map((each) => [each, each])}
          hint={
            state.kind === 'failed'
              ? describeError(state.error)
              : paidIn === null || paidIn === currency
                ? ''
                : `This subscriber pays in ${paidIn}, and a credit pays only charges in its own currency.`
          }
        />
        <SelectField label="Category" value={category} onValue={setCategory} options={CATEGORIES} />
        <TextField label="Note for your team" value={note} onValue={setNote} maxLength={500} />
      </Form>
    </Dialog>
  );
};

export const TriggerMotionDialog = ({
  subscriber,
  onClose,
  onDone,
}: ActionProps & { subscriber: Subscriber }): JSX.Element => {
  const motions = useLoaded('motions', (signal) =>
    readAllPages(service().motions.list({ limit: 100, status: 'active' }, { signal })),
  );
  const [motionId, setMotionId] = useState('');
  const callOnce = useKeyedCall();
  const active = motions.state.kind === 'ready' ? motions.state.value : [];
  const submit = async (): Promise<void> => {
    await callOnce((options) =>
      service().motions.trigger(motionId, { subscriber_id: subscriber.id }, options),
    );
    onDone('The motion is triggered.');
  };
  return (
    <Dialog title="Trigger a motion" open onClose={onClose}>
      <Waiting state={motions.state} retry={motions.reload} />
      {motions.state.kind === 'ready' && active.length === 0 ? (
        <Empty title="No active motion">Create and activate a motion first.</Empty>
      ) : null}
      {active.length === 0 ? null : (
        <Form
          action="Trigger"
          onSubmit={submit}
          onCancel={onClose}
          refusal={motionId === '' ? 'Choose a motion.' : null}
        >
          <SelectField
            label="Motion"
            value={motionId}
            onValue={setMotionId}
            options={[['', 'Choose …'], ...active.map(({ id, name }) => [id, name] as const)]}
          />
        </Form>
      )}
    </Dialog>
  );
};
