/**
 * The variable with the address at which the main process of Jest answers. `shared-services.ts`
 * sets it.
 */
export const SHARED_SERVICES_URL = 'SHARED_SERVICES_URL';

export interface SharedServiceFacts {
  readonly url: string;
  readonly dataDir: string;
  readonly pid: number;
}

/**
 * Asks the main process of Jest for the service of this worker, which is started if it does not
 * run.
 */
export const askForService = (database: string): Promise<SharedServiceFacts> =>
  askMainProcess(`service/${database}`);

/** Asks the main process of Jest to end the service of this worker with a signal. */
export const endService = (database: string, signal: 'SIGKILL' | 'SIGTERM'): Promise<unknown> =>
  askMainProcess(`service/${database}/${signal}`);

/** Asks the main process of Jest for the embedded SQL database of this worker. */
export const askForSql = (): Promise<{ readonly connectionString: string }> =>
  askMainProcess('sql');

const askMainProcess = async <T>(what: string): Promise<T> => {
  const worker = process.env['JEST_WORKER_ID'] ?? '1';
  const answer = await fetch(`${process.env[SHARED_SERVICES_URL]}/${worker}/${what}`);
  if (!answer.ok) throw new Error(`nothing to share: ${await answer.text()}`);
  return (await answer.json()) as T;
};
