import { useLoaded } from '../../api/load';
import { readFirstPage, service } from '../../api/service';

const POLL_MS = 10_000;
const NONE: ReadonlySet<string> = new Set();

/** The ids of the destinations whose receiver does not answer now; empty until they are known. */
export const useFailing = (): ReadonlySet<string> => {
  const { state } = useLoaded(
    'failing',
    async (signal) => {
      const { data } = await readFirstPage(
        service().destinations.listHealth({ limit: 100 }, { signal }),
      );
      const failing = data.filter(({ health }) => health === 'failing');
      return new Set(failing.map(({ destination_id: id }) => id));
    },
    POLL_MS,
  );
  return state.kind === 'ready' ? state.value : NONE;
};
