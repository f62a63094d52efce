import type { JSX } from 'preact';
import { useQuery } from './query';

/** A filter by day. The address contains the beginning of the day in UTC. */
export const DateChoice = ({ name, title }: { name: string; title: string }): JSX.Element => {
  const { query, set } = useQuery();
  return (
    <label class="row tight small muted">
      {title}
      <input
        type="date"
        max="9999-12-31"
        value={query[name]?.slice(0, 10) ?? ''}
        onChange={(event) => {
          const day = event.currentTarget.value;
          set({ [name]: day === '' ? null : `${day}T00:00:00Z` });
        }}
      />
    </label>
  );
};
