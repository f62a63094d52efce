import { noon, scenario } from '../../../test/support/given';
import { terms } from '../../../test/support/motion';
import { DomainError } from '../../kernel/errors';
import type { Scope } from '../../kernel/scope';
import { plusDays } from '../../kernel/time';
import {
  changeMotion,
  createMotion,
  deleteMotion,
  isKnown,
  motionAggregate,
  type MotionCommand,
  changeMotionStatus,
} from './motion.decider';
import { MOTION_STATUSES, type MotionFact, type MotionStatus } from './motion.events';

const scope: Scope = { tenantId: 'tnt_1', environment: 'test' };
const others: readonly Scope[] = [
  { tenantId: 'tnt_2', environment: 'test' },
  { tenantId: 'tnt_1', environment: 'live' },
];

const created: MotionFact = {
  type: 'motion.created',
  data: { id: 'mot_1', tenant_id: 'tnt_1', environment: 'test', terms },
};
const became = (status: MotionStatus): MotionFact => ({
  type: 'motion.status_changed',
  data: { status },
});
const deleted: MotionFact = { type: 'motion.deleted', data: { deleted_at: noon } };

const { given } = scenario(motionAggregate);

/** The facts of a motion in each status. */
const IN_STATUS: Readonly<Record<MotionStatus, readonly MotionFact[]>> = {
  draft: [created],
  active: [created, became('active')],
  paused: [created, became('active'), became('paused')],
  archived: [created, became('archived')],
};

describe('the creation of a motion', () => {
  const create = createMotion({ id: 'mot_1', scope, terms });

  it('makes a draft with the terms', () => {
    given().when(create).then([created]);
    expect(given(created).state).toEqual({
      status: 'draft',
      id: 'mot_1',
      scope,
      terms,
      createdAt: noon,
      updatedAt: noon,
    });
  });

  it('does nothing when the command repeats, also after the motion was deleted', () => {
    given(created).when(create).then([]);
    given(created, deleted).when(create).then([]);
  });
});

describe('a change of a motion', () => {
  it('replaces the named terms and keeps the others', () => {
    given(created)
      .when(changeMotion(scope, { name: 'Stay' }))
      .then([{ type: 'motion.updated', data: { terms: { ...terms, name: 'Stay' } } }]);
  });

  it('sets the time of the change, not of the creation', () => {
    const at = plusDays(noon, 1);
    const { state } = given(created, { type: 'motion.updated', data: { terms }, at });
    expect(state).toMatchObject({ createdAt: noon, updatedAt: at });
  });

  it('to the same terms does nothing', () => {
    given(created)
      .when(changeMotion(scope, { name: terms.name, limits: { ...terms.limits } }))
      .then([]);
  });

  it.each(MOTION_STATUSES)('is accepted unless the motion is archived: %s', (status) => {
    const when = given(...IN_STATUS[status]).when(changeMotion(scope, { name: 'Stay' }));
    if (status === 'archived') when.thenRefused('invalid_state_transition');
    else when.thenLike([{ type: 'motion.updated' }]);
  });
});

describe('the status of a motion (D-30)', () => {
  /** The status after each command; null means that the command is refused. */
  const TABLE: Readonly<
    Record<MotionCommand, Readonly<Record<MotionStatus, MotionStatus | null>>>
  > = {
    activate: { draft: 'active', active: 'active', paused: 'active', archived: null },
    pause: { draft: null, active: 'paused', paused: 'paused', archived: null },
    archive: { draft: 'archived', active: 'archived', paused: 'archived', archived: 'archived' },
  };
  const rows = Object.entries(TABLE).flatMap(([command, row]) =>
    MOTION_STATUSES.map((from) => [command as MotionCommand, from, row[from]] as const),
  );

  it.each(rows)('%s of a motion that is %s leads to: %s', (command, from, to) => {
    const when = given(...IN_STATUS[from]).when(changeMotionStatus(scope, command));
    if (to === null) when.thenRefused('invalid_state_transition');
    else when.then(to === from ? [] : [became(to)]);
  });

  it('in a refusal names the statuses from which the command is accepted', () => {
    const { state } = given(created);
    const refusal = (): unknown => {
      try {
        return changeMotionStatus(scope, 'pause')(state);
      } catch (error) {
        return error instanceof DomainError ? error.facts.details : error;
      }
    };
    expect(refusal()).toEqual({ current_status: 'draft', allowed: ['active'] });
  });
});

describe('the deletion of a motion', () => {
  it.each(MOTION_STATUSES)('is accepted only for a draft: %s', (status) => {
    const when = given(...IN_STATUS[status]).when(deleteMotion(scope, noon));
    if (status === 'draft') when.then([deleted]);
    else when.thenRefused('invalid_state_transition');
  });

  it('is final: no later event brings the motion back', () => {
    const { state } = given(created, deleted, became('active'));
    expect(isKnown(state)).toBe(false);
  });
});

describe('a motion that the caller may not see', () => {
  const commands = (of: Scope) => [
    changeMotion(of, { name: 'Stay' }),
    changeMotionStatus(of, 'activate'),
    deleteMotion(of, noon),
  ];

  it.each(others)('is not found if it belongs to another tenant or environment: %j', (other) => {
    for (const command of commands(other))
      given(created).when(command).thenRefused('resource_not_found');
  });

  it('is not found before its creation and after its deletion', () => {
    for (const command of commands(scope)) {
      given().when(command).thenRefused('resource_not_found');
      given(created, deleted).when(command).thenRefused('resource_not_found');
    }
  });
});
