import type { JSX } from 'preact';
import { useQuery } from './query';

/** Returns the parameter `cohort_id` of the address as "Cohort". */
const nameParameter = (name: string): string =>
  (name.charAt(0).toUpperCase() + name.slice(1)).replace('_id', '').replaceAll('_', ' ');

/** A filter by choice. The choice is stored in the address. */
export const Choice = ({
  name,
  label = nameParameter(name),
  title,
  options,
}: {
  name: string;
  /** The name of the filter for screen readers. */
  label?: string;
  /** The text for no choice. */
  title: string;
  options: readonly (readonly [string, string])[];
}): JSX.Element => {
  const { query, set } = useQuery();
  const value = query[name] ?? '';
  const isKnown = ['', ...options.map(([each]) => each)].includes(value);
  // An address can contain a value that is no option. It is shown too.
  const shown = isKnown ? options : [...options, [value, value] as const];
  return (
    <select
      aria-label={label}
      value={value}
      onChange={(event) => {
        set({ [name]: event.currentTarget.value });
      }}
    >
      <option value="">{title}</option>
      {shown.map(([each, text]) => (
        <option value={each}>{text.replaceAll('_', ' ')}</option>
      ))}
    </select>
  );
};
