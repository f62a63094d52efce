import { requirePresent } from '../../kernel/present';
import { availableParallelism } from 'node:os';
import type { Config } from '../../config/config';
import { loadOperatorToken, locateOperatorToken } from '../../config/secrets';
import { makeSocketDirectory } from '../environment/private-files';
import { resolveMasterKeys, prepareDataDirectory } from '../environment/prepare';
import { createStartUpLines } from '../environment/start-up-lines';
import { PROCESS_COUNT_VARIABLE, PROCESS_NAME_VARIABLE, SOCKET_DIRECTORY } from './child';
import { countApplicationProcesses, type ProcessPlan, planProcesses } from './plan';
import { type ProcessFailed, ProcessGroup } from './process-group';

/**
 * Returns the number of processes of a service with this configuration on this machine, without its
 * stores.
 */
export const countProcesses = (config: Config): number =>
  countApplicationProcesses(config, availableParallelism());

/** A service that runs as several processes. */
export interface RunningGroup {
  readonly url: string;
  readonly operatorToken: string;
  startUpLines(seconds: number): string[];
}

/** The processes of a service. */
export class ServiceGroup {
  private readonly group: ProcessGroup;
  private readonly dataDir: string;
  private readonly plans: readonly ProcessPlan[];

  constructor(
    private readonly config: Config,
    count: number,
    onFatal: (error: ProcessFailed) => void,
  ) {
    this.dataDir = prepareDataDirectory(config);
    // These values are created before the processes start, so that all processes use the same ones.
    resolveMasterKeys(config, this.dataDir);
    if (config.operatorToken === undefined) loadOperatorToken(this.dataDir);
    const socketDir = makeSocketDirectory(this.dataDir);
    this.plans = planProcesses(config, count);
    this.group = new ProcessGroup({
      program: requirePresent(process.argv[1], 'the path of the program'),
      plans: this.plans,
      environmentOf: (plan) => ({
        ...process.env,
        DATA_DIR: this.dataDir,
        PROCESSES: '1',
        [PROCESS_NAME_VARIABLE]: plan.name,
        [PROCESS_COUNT_VARIABLE]: String(count),
        [SOCKET_DIRECTORY]: socketDir,
        ...(plan.kind === 'application' ? { ROLES: plan.roles.join(',') } : {}),
      }),
      onFatal,
    });
  }

  async start(): Promise<RunningGroup> {
    await this.group.start();
    const { config, dataDir, group } = this;
    const [url] = group.facts.flatMap((facts) => facts.url ?? []);
    if (url === undefined) throw new Error('no process of the group serves the API');
    const names = this.plans.map(({ name }) => name).join(', ');
    return {
      url,
      operatorToken: config.operatorToken ?? loadOperatorToken(dataDir),
      startUpLines: (seconds) =>
        createStartUpLines({
          url,
          seconds,
          dataDir,
          servesApi: true,
          hasOwnToken: config.operatorToken !== undefined,
          operatorTokenFile: locateOperatorToken(dataDir),
          notes: [
            ...group.facts.flatMap(({ notes }) => notes),
            `processes       ${names} (PROCESSES=1 for one)`,
          ],
        }),
    };
  }

  stop(): Promise<void> {
    return this.group.stop();
  }
}
