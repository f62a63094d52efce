import { ValidateBy } from 'class-validator';
import type { Finding, RuleContext } from '../../http/fields/validation';
import { Choice, CurrencyField, Int, Line, Num, Text } from '../../http/fields/fields';
import { type FieldsByType, SchemaRules, createVariants } from '../../http/fields/schema-rules';
import { AMOUNT_MAX } from '../../kernel/money';
import {
  DISCOUNT_DURATIONS,
  PRORATION_BEHAVIORS,
  type ProrationBehavior,
} from '../../domain/billing/subscription.events';
import { type Offer, OFFER_TYPES } from '../../domain/motions/motion.events';

const URL_CHARS_MAX = 2_000;

const PAUSE_DAYS_MAX = 365;

type OfferType = (typeof OFFER_TYPES)[number];

/** The fields of each offer type. A field with `?` is optional; any other field is refused. */
const FIELDS_BY_OFFER_TYPE: Readonly<Record<OfferType, readonly string[]>> & FieldsByType = {
  discount_percent: ['percent', 'duration', 'months?'],
  discount_amount: ['amount', 'currency', 'duration', 'months?'],
  pause: ['days'],
  plan_switch: ['to_plan', 'proration_behavior?'],
  trial_extension: ['days'],
  credit: ['amount', 'currency', 'expires_in_days?'],
  redirect: ['url', 'label'],
};

/**
 * Returns the first error in the fields of an offer, or null. An unknown type has none: another
 * rule refuses it.
 */
const findError = (offer: OfferBody): Finding | null => {
  if (!OFFER_TYPES.includes(offer.type)) return null;
  const known = FIELDS_BY_OFFER_TYPE[offer.type];
  const given = Object.entries(offer).flatMap(([name, value]) =>
    value === undefined || name === 'type' ? [] : [name],
  );
  const missing = known.find((name) => !name.endsWith('?') && !given.includes(name));
  if (missing !== undefined)
    return createMissing(missing, `${missing} is required for an offer of type ${offer.type}`);
  const foreign = given.find((name) => !known.some((each) => each.replace('?', '') === name));
  if (foreign !== undefined)
    return createUnknown(foreign, `${foreign} is not a field of an offer of type ${offer.type}`);
  return checkMonths(offer) ?? checkDays(offer);
};

const createMissing = (property: string, message: string): Finding => ({
  property,
  code: 'parameter_missing',
  message,
});

const createUnknown = (property: string, message: string): Finding => ({
  property,
  code: 'parameter_unknown',
  message,
});

const checkMonths = ({ duration, months }: OfferBody): Finding | null => {
  if ((duration === 'repeating') === (months !== undefined)) return null;
  return months === undefined
    ? createMissing('months', 'months is required if duration is repeating')
    : createUnknown('months', 'months may only be given if duration is repeating');
};

const checkDays = ({ type, days }: OfferBody): Finding | null => {
  if (type !== 'pause' || (days ?? 0) <= PAUSE_DAYS_MAX) return null;
  const message = `days must be a whole number from 1 to ${PAUSE_DAYS_MAX} for an offer of type pause`;
  return { property: 'days', code: 'parameter_invalid', message };
};

const HasFieldsOfType = (): PropertyDecorator =>
  ValidateBy(
    {
      name: 'fitsItsType',
      validator: {
        validate: (_value, facts) => findError(facts?.object as OfferBody) === null,
        // Without a message, the library would ignore the `context` below.
        defaultMessage: () => 'The fields must be those of its type',
      },
    },
    { context: { finding: (offer) => findError(offer as OfferBody) } satisfies RuleContext },
  );

const isRepeating = { properties: { duration: { const: 'repeating' } }, required: ['duration'] };

/** An offer. Its `type` determines its fields (D-31). */
@SchemaRules({
  ...createVariants(FIELDS_BY_OFFER_TYPE, { pause: { days: { maximum: PAUSE_DAYS_MAX } } }),
  if: isRepeating,
  then: { required: ['months'] },
  else: { not: { required: ['months'] } },
})
export class OfferBody {
  @Choice(OFFER_TYPES, { example: 'pause' })
  @HasFieldsOfType()
  readonly type!: OfferType;

  @Num({ min: 0.0001, max: 100, optional: true, description: 'For `discount_percent`.' })
  readonly percent?: number;

  @Int({ min: 1, max: AMOUNT_MAX, optional: true, description: 'In minor units.' })
  readonly amount?: number;

  @CurrencyField({ optional: true })
  readonly currency?: string;

  @Choice(DISCOUNT_DURATIONS, {
    optional: true,
    description:
      'For discounts. If several were accepted, only one counts at a time, the one that reduces a period most; the others wait. `once` reduces the next whole period and not the proration of a plan change. Only one discount can last `forever`: the newest.',
  })
  readonly duration?: (typeof DISCOUNT_DURATIONS)[number];

  @Int({
    min: 1,
    max: 120,
    optional: true,
    description:
      'For `repeating`: the discount counts for periods that begin within this many months after the acceptance. If no period does, such as within 3 months for a year that was just paid, the offer is not applicable.',
  })
  readonly months?: number;

  @Int({
    min: 1,
    max: 730,
    optional: true,
    description: 'For `pause` (at most 365) and `trial_extension`.',
  })
  readonly days?: number;

  @Text({ max: 64, optional: true, description: 'For `plan_switch`: the id of the new plan.' })
  readonly to_plan?: string;

  @Choice(PRORATION_BEHAVIORS, { optional: true, default: 'create_prorations' })
  readonly proration_behavior?: ProrationBehavior;

  @Int({
    min: 1,
    max: 3_650,
    optional: true,
    description: 'For `credit`: after how many days it expires. Default: never.',
  })
  readonly expires_in_days?: number;

  @Text({
    max: URL_CHARS_MAX,
    optional: true,
    format: 'uri',
    // eslint-disable-next-line no-control-regex -- Regular expressions of Python have no class for them.
    pattern: /^https?:\/\/[^\s\u0000-\u001f\u007f-\u009f]+$/,
    patternText: 'must be an address that begins with https:// or http://',
    description: 'For `redirect`.',
  })
  readonly url?: string;

  @Line({ max: 200, optional: true, description: 'For `redirect`.' })
  readonly label?: string;
}

/** Converts a validated body to an offer. */
export const toOffer = (body: OfferBody): Offer => {
  const given = Object.entries(body).filter(([, value]) => value !== undefined);
  const defaults = body.type === 'plan_switch' ? { proration_behavior: 'create_prorations' } : {};
  return { ...defaults, ...Object.fromEntries(given) } as unknown as Offer;
};
