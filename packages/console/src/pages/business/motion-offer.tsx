import type { CreateMotionBody } from '@subscription-event-service/sdk';
import type { JSX } from 'preact';
import { SelectField, TextField } from '../../ui/form';
import { formatMoney } from '../../ui/format';
import { parseMoney } from '../../ui/money';

type Offer = NonNullable<CreateMotionBody['offer']>;
export type OfferType = Offer['type'] | 'none';

/** The values of the form. Only the fields of the chosen type are used. */
export interface OfferDraft {
  readonly type: OfferType;
  readonly percent: string;
  readonly amount: string;
  readonly currency: string;
  readonly duration: 'once' | 'repeating' | 'forever';
  readonly months: string;
  readonly days: string;
  readonly toPlan: string;
  readonly url: string;
  readonly label: string;
}

export const EMPTY_OFFER: OfferDraft = {
  type: 'none',
  percent: '20',
  amount: '',
  currency: 'USD',
  duration: 'once',
  months: '3',
  days: '30',
  toPlan: '',
  url: '',
  label: '',
};

const TYPES: readonly (readonly [OfferType, string])[] = [
  ['none', 'Nothing: it only tells'],
  ['discount_percent', 'A discount in percent'],
  ['discount_amount', 'A discount as an amount'],
  ['pause', 'A pause'],
  ['plan_switch', 'Another plan'],
  ['trial_extension', 'A longer trial'],
  ['credit', 'A credit'],
  ['redirect', 'A link'],
];

const DURATIONS: readonly (readonly [OfferDraft['duration'], string])[] = [
  ['once', 'For the next period'],
  ['repeating', 'For some months'],
  ['forever', 'For ever'],
];

/** Returns the offer for the API; null = no offer, undefined = an incomplete offer. */
export const createOffer = (draft: OfferDraft): Offer | null | undefined => {
  const { type, duration } = draft;
  const amount = parseMoney(draft.amount, draft.currency) ?? 0;
  const days = Number(draft.days);
  const months = duration === 'repeating' ? { months: Number(draft.months) } : {};
  switch (type) {
    case 'none':
      return null;
    case 'discount_percent':
      return Number(draft.percent) > 0
        ? { type, percent: Number(draft.percent), duration, ...months }
        : undefined;
    case 'discount_amount':
      return amount > 0
        ? { type, amount, currency: draft.currency, duration, ...months }
        : undefined;
    case 'credit':
      return amount > 0 ? { type, amount, currency: draft.currency } : undefined;
    case 'pause':
    case 'trial_extension':
      return days > 0 ? { type, days } : undefined;
    case 'plan_switch':
      return draft.toPlan === '' ? undefined : { type, to_plan: draft.toPlan };
    case 'redirect':
      return draft.url === '' || draft.label === ''
        ? undefined
        : { type, url: draft.url, label: draft.label };
  }
};

/** Shows the fields of an offer in words. Missing fields are left out. */
export const listOfferFacts = (
  offer: Offer,
  findPlanName: (id: string) => string,
): readonly (readonly [string, string | number | undefined])[] => [
  ['What', TYPES.find(([type]) => type === offer.type)?.[1] ?? offer.type],
  ['Percent', offer.percent],
  ['Amount', formatAmount(offer)],
  ['How long', DURATIONS.find(([duration]) => duration === offer.duration)?.[1]],
  ['Months', offer.months],
  ['Days', offer.days],
  ['To the plan', offer.to_plan === undefined ? undefined : findPlanName(offer.to_plan)],
  ['Address', offer.url],
  ['Text of the link', offer.label],
];

/** Without a currency, the offer uses the tenant's, which this page does not load. */
const formatAmount = ({ amount, currency }: Offer): string | undefined => {
  if (amount === undefined) return undefined;
  return currency === undefined ? `${amount} in minor units` : formatMoney(amount, currency);
};

export const OfferFields = ({
  draft,
  plans,
  onDraft,
}: {
  draft: OfferDraft;
  plans: readonly (readonly [id: string, name: string])[];
  onDraft: (draft: OfferDraft) => void;
}): JSX.Element => {
  const text = (
    name: keyof OfferDraft,
    label: string,
    type: 'text' | 'number' | 'url' = 'text',
  ) => (
    <TextField
      label={label}
      name={name}
      type={type}
      value={draft[name]}
      onValue={(value) => {
        onDraft({ ...draft, [name]: name === 'currency' ? value.toUpperCase() : value });
      }}
    />
  );
  const isDiscount = draft.type === 'discount_percent' || draft.type === 'discount_amount';
  return (
    <>
      <SelectField
        label="What is offered"
        value={draft.type}
        onValue={(type) => {
          onDraft({ ...draft, type });
        }}
        options={TYPES}
      />
      <div class="grid-3">
        {draft.type === 'discount_percent' ? text('percent', 'Percent', 'number') : null}
        {draft.type === 'discount_amount' || draft.type === 'credit' ? (
          <>
            {text('amount', 'Amount')}
            {text('currency', 'Currency')}
          </>
        ) : null}
        {draft.type === 'pause' || draft.type === 'trial_extension'
          ? text('days', 'Days', 'number')
          : null}
        {draft.type === 'redirect' ? (
          <>
            {text('url', 'Address', 'url')}
            {text('label', 'Text of the link')}
          </>
        ) : null}
        {draft.type === 'plan_switch' ? (
          <SelectField
            label="To the plan"
            name="to_plan"
            value={draft.toPlan}
            onValue={(toPlan) => {
              onDraft({ ...draft, toPlan });
            }}
            options={[['', 'Choose …'], ...plans]}
          />
        ) : null}
        {isDiscount ? (
          <SelectField
            label="How long"
            value={draft.duration}
            onValue={(duration) => {
              onDraft({ ...draft, duration });
            }}
            options={DURATIONS}
          />
        ) : null}
        {isDiscount && draft.duration === 'repeating' ? text('months', 'Months', 'number') : null}
      </div>
    </>
  );
};
