import type { JSX } from 'preact';
import { callTenant } from '../../api/calls';
import { describeError, useLoaded } from '../../api/load';
import { readPlans } from '../../api/names';
import { Button } from '../../ui/basics';
import { Choice } from '../../ui/choice';

interface Settings {
  readonly settings: { readonly currency: string };
}

/** Returns the currency of the tenant, and after it the other currencies of its plans. */
export const loadCurrencies = async (signal: AbortSignal): Promise<readonly string[]> => {
  const [{ settings }, plans] = await Promise.all([
    callTenant<Settings>('/settings', { signal }),
    readPlans(signal),
  ]);
  return [...new Set([settings.currency, ...plans.map(({ currency }) => currency)])];
};

const name = (currency: string): string => `Amounts in ${currency}`;

/** Chooses the currency of amounts, if there is more than one. */
export const CurrencyChoice = (): JSX.Element | null => {
  const { state, reload } = useLoaded('currencies', loadCurrencies);
  if (state.kind === 'failed')
    return (
      <span class="small muted" role="alert">
        Other currencies: {describeError(state.error)}{' '}
        <Button small onClick={reload}>
          Try again
        </Button>
      </span>
    );
  if (state.kind !== 'ready' || state.value.length < 2) return null;
  const [first = '', ...others] = state.value;
  return (
    <Choice
      name="currency"
      title={name(first)}
      options={others.map((each) => [each, name(each)])}
    />
  );
};
