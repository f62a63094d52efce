import type { Role } from '../../config/config';
import { canAnswer, countApplicationProcesses, planProcesses } from './plan';

const ROLES: readonly Role[] = ['api', 'projector', 'dispatcher', 'replayer', 'timers'];
const EMBEDDED = { eventStoreUrl: undefined, databaseUrl: undefined };
const auto = { ...EMBEDDED, processes: 'auto', roles: new Set(ROLES) } as const;

describe('the number of processes', () => {
  it.each([
    [1, 1],
    [2, 1],
    [3, 2],
    [4, 3],
    [8, 6],
    [64, 6],
  ])('is chosen for %i cores: %i', (cores, count) => {
    expect(countApplicationProcesses(auto, cores)).toBe(count);
  });

  it('is one where the roles were chosen, or a store is not embedded', () => {
    const only = { ...auto, roles: new Set<Role>(['api']) };
    expect(countApplicationProcesses(only, 8)).toBe(1);
    expect(countApplicationProcesses({ ...auto, databaseUrl: 'postgres://db/x' }, 8)).toBe(1);
  });

  it('is the configured one, whatever the number of cores', () => {
    expect(countApplicationProcesses({ ...auto, processes: 3 }, 2)).toBe(3);
  });
});

describe('the plan of the processes', () => {
  it('has one for each embedded store, and none for others', () => {
    const names = planProcesses(EMBEDDED, 4).map(({ name }) => name);
    expect(names).toEqual([
      'event-store',
      'sql',
      'api',
      'projector',
      'dispatcher-1',
      'dispatcher-2',
    ]);
    const external = { eventStoreUrl: 'esdb://x', databaseUrl: 'postgres://y' };
    expect(planProcesses(external, 2).map(({ name }) => name)).toEqual(['api', 'worker']);
  });

  it.each([2, 3, 4, 6])('assigns every role to a process with %i processes', (count) => {
    const plans = planProcesses(EMBEDDED, count);
    expect(plans.filter(({ kind }) => kind === 'application')).toHaveLength(count);
    for (const role of ROLES) expect(plans.some((plan) => canAnswer(plan, role))).toBe(true);
    // Read models are written and the API is served by one process each.
    for (const role of ['api', 'projector', 'timers'])
      expect(plans.filter((plan) => canAnswer(plan, role))).toHaveLength(1);
  });
});
