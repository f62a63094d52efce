import { useLocation } from './address';

/**
 * Reads and changes the state of the page in the address: filters, the open panel, the chosen tab.
 */
export const useQuery = (): {
  readonly query: Readonly<Record<string, string>>;
  /** Changes some parameters; null or '' removes one. */
  readonly set: (changes: Readonly<Record<string, string | null>>) => void;
  /** Changes some parameters in a new entry of the history, so that Back shows the page as it was. */
  readonly push: (changes: Readonly<Record<string, string | null>>) => void;
  /** Returns the address with some parameters changed, for links. */
  readonly href: (changes: Readonly<Record<string, string | null>>) => string;
} => {
  const { path, query, route } = useLocation();
  const href = (changes: Readonly<Record<string, string | null>>): string => {
    const next = new URLSearchParams(query);
    for (const [name, value] of Object.entries(changes)) {
      if (value === null || value === '') next.delete(name);
      else next.set(name, value);
    }
    const text = next.toString();
    return text === '' ? path : `${path}?${text}`;
  };
  const set = (changes: Readonly<Record<string, string | null>>): void => {
    route(href(changes), true);
  };
  const push = (changes: Readonly<Record<string, string | null>>): void => {
    route(href(changes));
  };
  return { query, set, push, href };
};
