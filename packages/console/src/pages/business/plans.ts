import type { Plan } from '@subscription-event-service/sdk';
import { type Loaded, useLoaded } from '../../api/load';
import { readPlans } from '../../api/names';
import { formatMoney } from '../../ui/format';

/** Loads the plans with their prices. */
export const usePlans = (): { readonly state: Loaded<readonly Plan[]>; reload: () => void } =>
  useLoaded('plans', readPlans);

/** Formats the price of a plan: "$9.00 a month", "$90.00 every 2 years". */
export const formatPrice = ({ amount, currency, interval, interval_count: count }: Plan): string =>
  `${formatMoney(amount, currency)} ${count === 1 ? `a ${interval}` : `every ${count} ${interval}s`}`;
