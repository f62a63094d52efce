import type { JSX } from 'preact';
import { useQuery } from './query';

/** A filter by choice. The choice is stored in the address. */
export const Choice = ({
  name,
  title,
  options,
}: {
  name: string;
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
      aria-label={title}
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
