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
  return (
    <select
      aria-label={title}
      value={query[name] ?? ''}
      onChange={(event) => {
        set({ [name]: event.currentTarget.value });
      }}
    >
      <option value="">{title}</option>
      {options.map(([value, text]) => (
        <option value={value}>{text.replaceAll('_', ' ')}</option>
      ))}
    </select>
  );
};
