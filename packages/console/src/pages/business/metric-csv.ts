import { createCsv } from '../../ui/csv';
import { formatMajorUnits } from '../../ui/money';
import { chooseShownValue, MOVEMENTS } from './metric-values';
import type { Compared } from './metric-window';

/**
 * Returns the values of a metric as CSV. Amounts are in units of the currency, such as dollars. What
 * was not counted is left empty.
 */
export const createMetricCsv = ({ series, previous }: Compared): string => {
  const { unit, currency, points } = series;
  const movements = points.some((point) => point.movements !== undefined) ? MOVEMENTS : [];
  const write = (value: number | null | undefined): string => {
    if (value == null) return '';
    return unit === 'minor_units' && currency !== null
      ? formatMajorUnits(value, currency)
      : String(value);
  };
  return createCsv([
    [
      ...['timestamp', 'value', 'partial', 'maturing', 'sample_size', 'value_before'],
      ...movements.map(([name]) => name),
      'currency',
    ],
    ...points.map((point, index) => {
      const before = previous[index] ?? null;
      return [
        point.timestamp,
        write(chooseShownValue(point, unit)),
        String(point.partial),
        String(point.maturing),
        String(point.sample_size),
        write(before === null ? null : chooseShownValue(before, unit)),
        ...movements.map(([name]) => write(point.movements?.[name])),
        currency ?? '',
      ];
    }),
  ]);
};
