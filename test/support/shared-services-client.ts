/**
 * The variable with the address at which the main process of Jest answers `askForShared`.
 * `shared-services.ts` sets it.
 */
export const SHARED_SERVICES_URL = 'SHARED_SERVICES_URL';

export interface SharedService {
  readonly url: string;
  readonly dataDir: string;
}

/**
 * Asks the main process of Jest for the service of this worker. The first call starts the service.
 */
export const askForShared = async (database: string): Promise<SharedService> => {
  const worker = process.env['JEST_WORKER_ID'] ?? '1';
  const url = `${process.env[SHARED_SERVICES_URL]}/${database}/${worker}`;
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`no shared service: ${await answer.text()}`);
  return (await answer.json()) as SharedService;
};
