import type { Plan } from '@subscription-event-service/sdk';
import { useEffect } from 'preact/hooks';
import { createShared } from '../shared-state';
import { createNameChoices } from './name-choices';
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
  plans: async () => indexNames(await readPlans()),
};

/** Reads all plans. Analysts may read them because metrics are filtered by them. */
export const readPlans = (signal?: AbortSignal): Promise<readonly Plan[]> => {
  const options = signal === undefined ? {} : { signal };
  return readAllPages(
    may('plans.list')
      ? service().plans.list({ limit: LIMIT }, options)
      : service().metrics.listPlans({ limit: LIMIT }, options),
  );
};

/** True if the role may read the names. */
const mayName = (kind: Kind): boolean =>
  may(`${kind}.list`) || (kind === 'plans' && may('metrics.listPlans'));

const indexNames = (all: readonly { readonly id: string; readonly name: string }[]): Names =>
  new Map(all.map(({ id, name }) => [id, name]));

const known = createShared<Readonly<Record<string, Names>>>({});

/** The instants at which the names of each key were requested last, in ms. */
const requestedAt = new Map<string, number>();

/**
 * Returns the names of the objects of a kind by their ids; empty until they are loaded. They are
 * loaded again if the last request is at least `pauseMs` old.
 */
const useLoadedNames = (kind: Kind, pauseMs = 0): Names => {
  const here = place.value;
  const key = `${here?.tenantId ?? ''}/${here?.environment ?? ''}/${kind}`;
  useEffect(() => {
    const now = performance.now();
    if (!mayName(kind) || now - (requestedAt.get(key) ?? -Infinity) < pauseMs) return;
    requestedAt.set(key, now);
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
export const useNames = (kind: Kind, pauseMs = 0): ((id: string) => string) => {
  const names = useLoadedNames(kind, pauseMs);
  return (id) => names.get(id) ?? id;
};

/** Each row of a list asks for the name of its object. One request in this time is enough. */
export const ROW_PAUSE_MS = 2_000;

/** Returns the name of one object, for a row of a list; its id while the name is not loaded. */
export const useName = (kind: Kind, id: string): string => useNames(kind, ROW_PAUSE_MS)(id);

/** Returns the ids and names of the objects of a kind, for a choice. */
export const useNameChoices = (kind: Kind): readonly (readonly [id: string, name: string])[] =>
  createNameChoices([...useLoadedNames(kind)].map(([id, name]) => ({ id, name })));
