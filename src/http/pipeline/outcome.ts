import { Choice, Moment, Nested, Text } from '../fields/fields';

export class FailureBody {
  @Text({ max: 64, example: 'insufficient_funds' })
  readonly code!: string;

  @Text({ optional: true, max: 500 })
  readonly message?: string;

  @Choice(['soft', 'hard'], {
    optional: true,
    default: 'soft',
    description: 'With `hard` the method will never work again, so it is not tried again.',
  })
  readonly decline_type?: 'soft' | 'hard';
}

/** The result that a provider reports for a payment or a refund. */
export class ProviderOutcomeBody {
  @Choice(['succeeded', 'failed'])
  readonly outcome!: 'succeeded' | 'failed';

  @Nested(() => FailureBody, { optional: true })
  readonly failure?: FailureBody;

  @Text({
    optional: true,
    description:
      'The reference of your payment provider, one for each attempt. The same outcome again under it changes nothing; another outcome is refused.',
  })
  readonly provider_ref?: string;

  @Moment({
    optional: true,
    description:
      'When it happened; not in the future, and not more than a day before the object was created. Default: now.',
  })
  readonly occurred_at?: string;
}

interface ReportedFailure {
  readonly code: string;
  readonly message: string;
  readonly decline_type: 'soft' | 'hard';
}

/** Returns the failure of an outcome, with defaults for fields that the provider omitted. */
export const toFailure = ({ outcome, failure }: ProviderOutcomeBody): ReportedFailure | null =>
  outcome === 'succeeded' || failure === undefined
    ? null
    : {
        code: failure.code,
        message: failure.message ?? 'The payment was declined.',
        decline_type: failure.decline_type ?? 'soft',
      };
