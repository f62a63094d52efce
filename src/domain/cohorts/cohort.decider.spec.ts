import { scenario, noon } from '../../../test/support/given';
import type { Scope } from '../../kernel/scope';
import {
  changeCohort,
  cohortAggregate,
  completeBackfill,
  createCohort,
  deleteCohort,
  decideMembership,
} from './cohort.decider';
import type { CohortFact } from './cohort.events';

const scope: Scope = { tenantId: 'tnt_1', environment: 'test' };
const draft = { id: 'cohort_1', name: 'At risk', description: null, definition: {} };
const created: CohortFact = {
  type: 'cohort.created',
  data: { ...draft, tenant_id: 'tnt_1', environment: 'test' },
};
const deleted: CohortFact = { type: 'cohort.deleted', data: { deleted_at: noon } };

describe('a cohort', () => {
  const { given } = scenario(cohortAggregate);

  it('is created once', () => {
    given()
      .when(createCohort({ ...draft, scope }))
      .then([created]);
    given(created)
      .when(createCohort({ ...draft, scope }))
      .then([]);
  });

  it('is refused if its minimum tenure is above its maximum', () => {
    const definition = { tenure_days_min: 5, tenure_days_max: 4 };
    given()
      .when(createCohort({ ...draft, definition, scope }))
      .thenRefused('parameter_invalid');
    given(created).when(changeCohort(scope, { definition })).thenRefused('parameter_invalid');
  });

  it('merges name and description and replaces the whole definition', () => {
    const before = { ...created, data: { ...created.data, definition: { plan_ids: ['pro'] } } };
    given(before)
      .when(changeCohort(scope, { description: 'x', definition: { tags_include: ['vip'] } }))
      .then([
        {
          type: 'cohort.updated',
          data: { name: 'At risk', description: 'x', definition: { tags_include: ['vip'] } },
        },
      ]);
  });

  it('states no change if all values stay the same', () => {
    given(created)
      .when(changeCohort(scope, { name: 'At risk' }))
      .then([]);
  });

  it('counts versions of its definition and not of its name', () => {
    const renamed: CohortFact = {
      type: 'cohort.updated',
      data: { name: 'B', description: null, definition: {} },
    };
    const redefined: CohortFact = {
      type: 'cohort.updated',
      data: { name: 'B', description: null, definition: { status: ['active'] } },
    };
    expect(given(created, renamed).state).toMatchObject({ definitionVersion: 1, name: 'B' });
    expect(given(created, renamed, redefined).state).toMatchObject({ definitionVersion: 2 });
  });

  it('completes its backfill once', () => {
    const filled: CohortFact = { type: 'cohort.backfill_completed', data: { members: 3 } };
    given(created).when(completeBackfill(3)).then([filled]);
    given(created, filled).when(completeBackfill(3)).then([]);
  });

  it('cannot be deleted while a motion targets it', () => {
    given(created)
      .when(deleteCohort(scope, ['mot_1'], noon))
      .thenRefused('cohort_in_use');
    given(created)
      .when(deleteCohort(scope, [], noon))
      .then([deleted]);
  });

  it('is not found in another scope or after its deletion', () => {
    const other: Scope = { tenantId: 'tnt_1', environment: 'live' };
    given(created).when(changeCohort(other, {})).thenRefused('resource_not_found');
    given(created, deleted).when(changeCohort(scope, {})).thenRefused('resource_not_found');
  });
});

describe('a cohort move', () => {
  const cohort = { id: 'cohort_1', name: 'At risk' };
  const types = (memberships: Record<string, boolean>, matches: boolean, listed: boolean) =>
    decideMembership({ cohort, matches, listed, reason: 'tenure' })(memberships).map(
      ({ type }) => type,
    );

  it('is stated if the membership differs', () => {
    expect(types({}, true, false)).toEqual(['cohort.entered']);
    expect(types({}, false, true)).toEqual(['cohort.exited']);
    expect(types({ cohort_1: false }, true, false)).toEqual(['cohort.entered']);
  });

  it('is not stated twice even if the read model is behind', () => {
    expect(types({ cohort_1: true }, true, false)).toEqual([]);
    expect(types({ cohort_1: false }, false, true)).toEqual([]);
    expect(types({}, true, true)).toEqual([]);
  });
});
