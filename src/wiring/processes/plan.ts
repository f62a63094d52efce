import type { Config, Role } from '../../config/config';

/** One process of a service that is run as several. */
export type ProcessPlan =
  | { readonly name: string; readonly kind: 'event-store' | 'sql' }
  | { readonly name: string; readonly kind: 'application'; readonly roles: readonly Role[] };

/**
 * Number of cores that the threads of one process use well. On fewer cores more processes would
 * only cost memory.
 */
const CORES_OF_ONE_PROCESS = 2;
/** One destination is delivered to by one process, and the API is saturated before four dispatchers are. */
const DISPATCHERS_MAX = 4;

/**
 * Computes the number of working processes, without those of the embedded stores: one on two cores,
 * otherwise one less than the number of cores, up to the API, the projector and four dispatchers.
 */
export const countApplicationProcesses = (
  {
    processes,
    roles,
    eventStoreUrl,
    databaseUrl,
  }: Pick<Config, 'processes' | 'roles' | 'eventStoreUrl' | 'databaseUrl'>,
  cores: number,
): number => {
  if (processes !== 'auto') return processes;
  // An operator with external stores decides alone how many processes share them.
  const isOneMachine = eventStoreUrl === undefined && databaseUrl === undefined;
  const hasAllRoles = roles.size === ALL_ROLES.length;
  if (!isOneMachine || !hasAllRoles || cores <= CORES_OF_ONE_PROCESS) return 1;
  return Math.min(cores - 1, PROCESSES_BESIDE_DISPATCHERS + DISPATCHERS_MAX);
};

const API_ROLES: readonly Role[] = ['api'];
const PROJECTOR_ROLES: readonly Role[] = ['projector', 'timers'];
const DISPATCHER_ROLES: readonly Role[] = ['dispatcher', 'replayer'];
const ALL_ROLES = [...API_ROLES, ...PROJECTOR_ROLES, ...DISPATCHER_ROLES];
/** The API and the projector. */
const PROCESSES_BESIDE_DISPATCHERS = 2;

/** Lists the processes of a service. Processes that others need come first. */
export const planProcesses = (
  { eventStoreUrl, databaseUrl }: Pick<Config, 'eventStoreUrl' | 'databaseUrl'>,
  count: number,
): readonly ProcessPlan[] => [
  ...(eventStoreUrl === undefined ? [{ name: 'event-store', kind: 'event-store' } as const] : []),
  ...(databaseUrl === undefined ? [{ name: 'sql', kind: 'sql' } as const] : []),
  planApplication('api', API_ROLES),
  ...(count <= PROCESSES_BESIDE_DISPATCHERS
    ? [planApplication('worker', [...PROJECTOR_ROLES, ...DISPATCHER_ROLES])]
    : [
        planApplication('projector', PROJECTOR_ROLES),
        ...planDispatchers(count - PROCESSES_BESIDE_DISPATCHERS),
      ]),
];

const planApplication = (name: string, roles: readonly Role[]): ProcessPlan => ({
  name,
  kind: 'application',
  roles,
});

const planDispatchers = (count: number): ProcessPlan[] =>
  Array.from({ length: count }, (_, i) => planApplication(`dispatcher-${i + 1}`, DISPATCHER_ROLES));

/** True if calls to this name or role are for the process. */
export const canAnswer = (plan: ProcessPlan, to: string): boolean =>
  plan.name === to || (plan.kind === 'application' && plan.roles.some((role) => role === to));
