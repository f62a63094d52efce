import type {
  ChangePlanBody,
  Plan,
  PlanPreview,
  Subscription,
} from '@subscription-event-service/sdk';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { useLoaded } from '../../api/load';
import { service } from '../../api/service';
import { Failure, Money, Skeleton, Waiting } from '../../ui/basics';
import { Dialog } from '../../ui/dialog';
import { formatDate, formatMoney } from '../../ui/format';
import { Form, SelectField } from '../../ui/form';
import { formatPrice, usePlans } from './plans';

type Behavior = NonNullable<ChangePlanBody['proration_behavior']>;

const BEHAVIORS: readonly (readonly [Behavior, string])[] = [
  ['create_prorations', 'Settle at the next renewal'],
  ['always_invoice', 'Charge or credit the difference now'],
  ['none', 'No difference: the new price from the next renewal'],
];

/** Descriptions of the kinds of lines in the preview. */
const LINES: Readonly<Record<PlanPreview['lines'][number]['kind'], string>> = {
  period: 'The new plan',
  debit: 'The new plan',
  credit: 'Unused part of the plan so far',
  discount: 'Discount',
};

/** Changes the plan after a preview of the exact lines. The change uses the previewed amounts. */
export const ChangePlanDialog = ({
  subscription,
  onClose,
  onDone,
}: {
  subscription: Subscription;
  onClose: () => void;
  onDone: (text: string) => void;
}): JSX.Element => {
  const plans = usePlans();
  // Time that is not paid yet gives no credit.
  const behaviors = subscription.payment_state === 'past_due' ? BEHAVIORS.slice(2) : BEHAVIORS;
  const [toPlan, setToPlan] = useState('');
  const [behavior, setBehavior] = useState(behaviors[0]?.[0] ?? 'none');
  const [preview, setPreview] = useState<PlanPreview | null>(null);
  const all = plans.state.kind === 'ready' ? plans.state.value : [];
  const current = all.find(({ id }) => id === subscription.plan);
  const plan = all.find(({ id }) => id === toPlan);
  const options = all
    .filter(({ id, currency }) => id !== subscription.plan && currency === current?.currency)
    .map((each) => [each.id, describePlan(each)] as const);
  const submit = async (): Promise<void> => {
    if (preview === null) return;
    await service().subscriptions.changePlan(subscription.id, {
      to_plan: toPlan,
      proration_behavior: behavior,
      proration_date: preview.proration_date,
    });
    onDone('The plan is changed.');
  };
  return (
    <Dialog title="Change the plan" open onClose={onClose}>
      <Waiting state={plans.state} retry={plans.reload} />
      <Form
        action="Change the plan"
        onSubmit={submit}
        onCancel={onClose}
        refusal={
          toPlan === ''
            ? options.length === 0 && current !== undefined
              ? `There is no other plan in ${current.currency}.`
              : 'Choose a plan.'
            : preview === null
              ? 'There is no preview.'
              : null
        }
      >
        <SelectField
          label="New plan"
          value={toPlan}
          onValue={(plan) => {
            setPreview(null);
            setToPlan(plan);
          }}
          options={[['', 'Choose …'], ...options]}
          hint={`Now: ${current === undefined ? subscription.plan : describePlan(current)}. Only plans in its currency can follow.`}
        />
        <SelectField
          label="The rest of this period"
          value={behavior}
          onValue={(chosen) => {
            setPreview(null);
            setBehavior(chosen);
          }}
          options={behaviors}
        />
        {plan === undefined ? null : (
          <Preview
            subscriptionId={subscription.id}
            plan={plan}
            behavior={behavior}
            onPreview={setPreview}
          />
        )}
      </Form>
    </Dialog>
  );
};

const describePlan = (plan: Plan): string => `${plan.name} (${plan.id}), ${formatPrice(plan)}`;

const Preview = ({
  subscriptionId,
  plan,
  behavior,
  onPreview,
}: {
  subscriptionId: string;
  plan: Plan;
  behavior: Behavior;
  onPreview: (preview: PlanPreview) => void;
}): JSX.Element => {
  const { state } = useLoaded(`${plan.id}/${behavior}`, async (signal) => {
    const preview = await service().subscriptions.previewPlanChange(
      subscriptionId,
      { to_plan: plan.id, proration_behavior: behavior },
      { signal },
    );
    onPreview(preview);
    return preview;
  });
  if (state.kind === 'loading') return <Skeleton lines={2} />;
  if (state.kind === 'failed') return <Failure error={state.error} />;
  const { lines, net, currency } = state.value;
  return (
    <div class="card" aria-live="polite">
      <table>
        <caption class="visually-hidden">What changes</caption>
        <tbody>
          {lines.map((line) => (
            <tr>
              <td>
                {LINES[line.kind]}
                {line.period_end === undefined || line.period_end === null
                  ? ''
                  : ` until ${formatDate(line.period_end)}`}
              </td>
              <td class="num">
                <Money amount={line.amount} currency={currency} />
              </td>
            </tr>
          ))}
          <tr>
            <td>
              <strong>Difference{describeDue(state.value)}</strong>
            </td>
            <td class="num">
              <strong>
                <Money amount={net} currency={currency} />
              </strong>
            </td>
          </tr>
        </tbody>
      </table>
      <p>
        The plan changes now. {describeCharge(state.value)} The price is then {formatPrice(plan)}.
      </p>
    </div>
  );
};

/** Says when the difference is paid, and by whom. */
const describeDue = ({ net, applied }: PlanPreview): string => {
  if (applied === 'none' || net === 0) return '';
  if (applied === 'next_renewal') return ' at the renewal';
  return net > 0 ? ', charged now' : ', credited now';
};

/** Says what a change of the plan costs, and when. */
const describeCharge = ({
  net,
  currency,
  applied,
  current_period_end: end,
}: PlanPreview): string => {
  const amount = formatMoney(Math.abs(net), currency);
  const renewal = `on ${formatDate(end)}`;
  if (applied === 'none') {
    return `Nothing is charged now. The new price applies from the renewal ${renewal}.`;
  }
  if (applied === 'next_renewal') {
    return `Nothing is charged now. The renewal ${renewal} is ${amount} ${net < 0 ? 'lower' : 'higher'}.`;
  }
  if (net > 0) return `${amount} is charged now.`;
  return `Nothing is charged${net < 0 ? `, and ${amount} becomes a credit` : ''}.`;
};
