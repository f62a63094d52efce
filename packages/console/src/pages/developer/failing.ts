import { useLoaded } from '../../api/load';
import { readAllPages, service } from '../../api/service';

const POLL_MS = 10_000;
const NONE: ReadonlySet<string> = new Set();

/** Loads the ids of the destinations whose receivers do not answer; empty until they are loaded. */
export const useFailing = (): ReadonlySet<string> => {
  const { state } = useLoaded(
    'failing',
    async (signal) => {
      const failing = await readAllPages(
        service().destinations.listHealth({ health: 'failing', limit: 100 }, { signal }),
      );
      return new Set(failing.map(({ destination_id: id }) => id));
    },
    POLL_MS,
  );
  return state.kind === 'ready' ? state.value : NONE;
};
