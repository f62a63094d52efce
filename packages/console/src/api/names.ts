import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { readAllPages, service } from './service';
import { may, place } from './session';

type Kind = 'destinations' | 'cohorts' | 'motions' | 'plans';
type Names = ReadonlyMap<string, string>;

const LIMIT = 100;

const LOADERS: Readonly<Record<Kind, () => Promise<Names>>> = {
  destinations: async () => {
    const all = await readAllPages(service().destinations.list({ limit: LIMIT }));
    return new Map(all.map((each) => [each.id, each.description ?? each.url ?? each.email ?? '']));
  },
  cohorts: async () => indexNames(await readAllPages(service().cohorts.list({ limit: LIMIT }))),
  motions: async () => indexNames(await readAllPages(service().motions.list({ limit: LIMIT }))),
  plans: async () => indexNames(await readAllPages(service().plans.list({ limit: LIMIT }))),
};

const indexNames = (all: readonly { readonly id: string; readonly name: string }[]): Names =>
  new Map(all.map(({ id, name }) => [id, name]));

const known = signal<Readonly<Record<string, Names>>>({});

/** Returns the names of the objects of a kind by their ids; empty until they are loaded. */
const useLoadedNames = (kind: Kind): Names => {
  const here = place.value;
  const key = `${here?.tenantId ?? ''}/${here?.environment ?? ''}/${kind}`;
  useEffect(() => {
    if (!may(`${kind}.list`)) return;
    LOADERS[kind]().then(
      (names) => {
        known.value = { ...known.value, [key]: names };
      },
      () => null,
    );
  }, [key]);
  return known.value[key] ?? new Map();
};

/**
 * Returns a function from an id to a name. It returns the id while the name is not loaded, or if
 * there is none.
 */
export const useNames = (kind: Kind): ((id: string) => string) => {
  const names = useLoadedNames(kind);
  return (id) => names.get(id) ?? id;
};

/** Returns the ids and names of the objects of a kind, for a choice. */
export const useNameChoices = (kind: Kind): readonly (readonly [id: string, name: string])[] => [
  ...useLoadedNames(kind),
];
