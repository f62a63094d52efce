import { useEffect } from 'preact/hooks';
import { createShared } from '../shared-state';
import { readFirstPage, service } from './service';
import { may, place } from './session';

/** Maximum number of ids in one request to the service. */
const IDS_MAX = 100;

const known = createShared<ReadonlyMap<string, string>>(new Map());
let waiting = new Set<string>();

const createKey = (id: string): string =>
  `${place.value?.tenantId ?? ''}/${place.value?.environment ?? ''}/${id}`;

/**
 * Returns the name of a subscriber: the e-mail address, or the external id if the role may not see
 * the address. Returns undefined while it is not loaded, or if there is none. The names of all ids
 * of a page are loaded with one request.
 */
export const useSubscriberName = (id: string): string | undefined => {
  const key = createKey(id);
  useEffect(() => {
    if (may('subscribers.list') && !known.value.has(key)) requestName(id);
  }, [key]);
  const name = known.value.get(key);
  return name === '' ? undefined : name;
};

const requestName = (id: string): void => {
  if (waiting.size === 0) setTimeout(() => void loadWaiting());
  waiting.add(id);
};

const loadWaiting = async (): Promise<void> => {
  const ids = [...waiting];
  waiting = new Set();
  for (let from = 0; from < ids.length; from += IDS_MAX) {
    await loadNames(ids.slice(from, from + IDS_MAX)).catch(() => null);
  }
};

/** An id without a name is stored with an empty text, so that it is not requested again. */
const loadNames = async (ids: string[]): Promise<void> => {
  const keys = ids.map(createKey);
  const { data } = await readFirstPage(service().subscribers.list({ ids, limit: IDS_MAX }));
  const byId = new Map(data.map((each) => [each.id, each.email ?? each.external_id ?? '']));
  known.value = new Map([
    ...known.value,
    ...ids.map((id, index) => [keys[index] ?? '', byId.get(id) ?? ''] as const),
  ]);
};
