import fc from 'fast-check';
import { noon } from '../../../test/support/given';
import { Story } from '../../../test/support/story';
import { openMigratedSql } from '../../../test/support/sql';
import { fold } from '../../kernel/decider';
import type { Database } from '../../read-models/database';
import { type Instant, plusDays, plusMs } from '../../kernel/time';
import { subscriberAggregate } from '../subscriber-stream/subscriber.aggregate';
import { eraseSubscriber } from '../subscribers/subscriber.decider';
import type { CohortDefinition } from './cohort.events';
import {
  listCrossedTenures,
  findFirstMatching,
  matchesDefinition,
  createMatchSql,
  wasMovedByTime,
  findNextTenureBoundary,
  type CohortSubject,
} from './cohort-matcher';
import { countRuns } from '../../../test/support/property-runs';

const STATUSES = ['active', 'trialing', 'paused', 'cancelled', 'lapsed'] as const;
const TAGS = ['vip', 'beta', 'press', 'staff'];
const PLANS = ['basic', 'pro', 'team'];

const some = <T>(values: readonly T[]) => fc.uniqueArray(fc.constantFrom(...values));

const definitions: fc.Arbitrary<CohortDefinition> = fc.record(
  {
    status: some(STATUSES),
    tenure_days_min: fc.oneof(
      fc.integer({ min: 0, max: 4 }),
      fc.double({ min: 0, max: 4, noNaN: true }),
    ),
    tenure_days_max: fc.oneof(
      fc.integer({ min: 0, max: 8 }),
      fc.double({ min: 0, max: 8, noNaN: true }),
    ),
    plan_ids: some(PLANS),
    tags_include: some(TAGS),
    tags_match: fc.constantFrom('any' as const, 'all' as const),
    tags_exclude: some(TAGS.slice(0, 2)),
    engagement_score_min: fc.constantFrom(0, 50, 50.5, 100),
  },
  { requiredKeys: [] },
);

const ages = fc.oneof(
  fc.integer({ min: 0, max: 9 * 86_400_000 }),
  // Ages at and around whole days, where inclusive and exclusive bounds differ.
  fc
    .tuple(fc.integer({ min: 0, max: 9 }), fc.integer({ min: -1, max: 1 }))
    .map(([days, ms]) => Math.max(0, days * 86_400_000 + ms)),
);

const subjects: fc.Arbitrary<CohortSubject> = fc.record({
  status: fc.option(fc.constantFrom(...STATUSES)),
  plan: fc.option(fc.constantFrom(...PLANS)),
  tags: some(TAGS),
  engagementScore: fc.option(fc.constantFrom(0, 49, 50, 50.5, 51, 100)),
  createdAt: ages.map((ms) => plusMs(noon, -ms)),
});

const someone: CohortSubject = {
  status: 'active',
  plan: 'pro',
  tags: ['vip', 'press'],
  engagementScore: 50,
  createdAt: plusDays(noon, -3),
};

describe('a cohort definition', () => {
  it.each<[string, CohortDefinition, boolean]>([
    ['matches every subscriber if it is {}', {}, true],
    ['treats empty lists as no constraint', { status: [], plan_ids: [], tags_include: [] }, true],
    ['matches one of its statuses', { status: ['paused', 'active'] }, true],
    ['does not match another status', { status: ['paused'] }, false],
    ['matches any of its tags', { tags_include: ['vip', 'staff'] }, true],
    [
      'needs all of its tags with tags_match all',
      { tags_include: ['vip', 'staff'], tags_match: 'all' },
      false,
    ],
    [
      'does not match an excluded tag even if another tag is included',
      { tags_include: ['vip'], tags_exclude: ['press'] },
      false,
    ],
    ['includes the minimum score', { engagement_score_min: 50 }, true],
    ['does not match a score below the minimum', { engagement_score_min: 50.5 }, false],
    ['includes the minimum tenure', { tenure_days_min: 3 }, true],
    ['includes the maximum tenure', { tenure_days_max: 3 }, true],
    ['does not match a tenure below the minimum', { tenure_days_min: 4 }, false],
    ['does not match a tenure above the maximum', { tenure_days_max: 2 }, false],
    ['needs all of its fields to match', { status: ['active'], plan_ids: ['basic'] }, false],
  ])('%s', (_, definition, expected) => {
    expect(matchesDefinition(definition, someone, noon)).toBe(expected);
  });

  it('with a minimum score never matches an unknown score', () => {
    const unknown = { ...someone, engagementScore: null };
    expect(matchesDefinition({ engagement_score_min: 0 }, unknown, noon)).toBe(false);
  });

  it.each<[string, CohortDefinition, boolean]>([
    ['a subscriber in at the minimum tenure', { tenure_days_min: 4 }, true],
    ['a subscriber out after the maximum tenure', { tenure_days_max: 3 }, true],
    [
      'no subscriber whom another field excludes',
      { tenure_days_min: 4, status: ['paused'] },
      false,
    ],
    ['no subscriber who crossed no bound', { tenure_days_min: 3 }, false],
  ])('time alone moves %s', (_, definition, expected) => {
    const now = plusMs(noon, 86_400_000);
    expect(wasMovedByTime(definition, someone, { since: noon, now })).toBe(expected);
  });

  it('gives ranges that contain every registration whose membership changes with time', () => {
    fc.assert(
      fc.property(
        definitions,
        subjects,
        fc.integer({ min: 1, max: 3 * 86_400_000 }),
        (definition, subject, ms) => {
          const later = plusMs(noon, ms);
          const moved =
            matchesDefinition(definition, subject, noon) !==
            matchesDefinition(definition, subject, later);
          const crossed = listCrossedTenures(definition, noon, later).some(
            ([after, upTo]) => subject.createdAt > after && subject.createdAt <= upTo,
          );
          if (moved) expect(crossed).toBe(true);
        },
      ),
      { numRuns: countRuns(2_000) },
    );
  });
});

describe('the next tenure boundary', () => {
  const next = (definition: CohortDefinition, day: number, ms = 0) =>
    findNextTenureBoundary(definition, noon, plusMs(plusDays(noon, day), ms));

  it.each<[string, CohortDefinition, number, number | null]>([
    ['the day on which the minimum tenure is reached', { tenure_days_min: 3 }, 0, 3],
    ['a full day if the minimum is a fraction of a day', { tenure_days_min: 2.5 }, 0, 3],
    ['the day after the maximum tenure', { tenure_days_max: 3 }, 0, 4],
    ['the minimum before the maximum', { tenure_days_min: 2, tenure_days_max: 3 }, 1, 2],
    ['the maximum once the minimum is reached', { tenure_days_min: 2, tenure_days_max: 3 }, 2, 4],
    ['none once both bounds have passed', { tenure_days_min: 2, tenure_days_max: 3 }, 4, null],
    ['none without a tenure', { status: ['active'] }, 0, null],
  ])('is %s', (_, definition, day, expected) => {
    expect(next(definition, day)).toBe(expected === null ? null : plusDays(noon, expected));
  });

  it('is the first instant at which time changes the membership', () => {
    fc.assert(
      fc.property(definitions, subjects, (definition, subject) => {
        const boundary = findNextTenureBoundary(definition, subject.createdAt, noon);
        const until = boundary === null ? plusDays(noon, 20) : plusMs(boundary, -1);
        expect(wasMovedByTime(definition, subject, { since: noon, now: until })).toBe(false);
      }),
    );
  });
});

describe('a cohort definition in SQL', () => {
  let database: Database;
  let close: () => Promise<void>;

  beforeAll(async () => {
    ({ sql: database, close } = await openMigratedSql());
  });

  afterAll(() => close());

  const store = async (all: readonly CohortSubject[]): Promise<void> => {
    const rows = all.map((subject, i) => ({
      scope: 's',
      subscriber_id: String(i).padStart(6, '0'),
      created_at: subject.createdAt,
      status: subject.status,
      plan: subject.plan,
      tags: subject.tags,
      engagement_score: subject.engagementScore,
      erased: false,
      test_clock: null,
      changed_position: i,
    }));
    await database.query({
      text: `insert into cohort_subjects
        select * from json_populate_recordset(null::cohort_subjects, $1)`,
      values: [JSON.stringify(rows)],
    });
  };

  const matching = async (definition: CohortDefinition, now: Instant): Promise<number[]> => {
    const { text, values } = createMatchSql(definition, now, 1);
    const rows = await database.query<{ subscriber_id: string }>({
      text: `select subscriber_id from cohort_subjects where ${text} order by 1`,
      values,
    });
    return rows.map(({ subscriber_id }) => Number(subscriber_id));
  };

  it('agrees with the pure function on random subscribers', async () => {
    const all = fc.sample(subjects, { numRuns: 400, seed: 7 });
    await store(all);
    await fc.assert(
      fc.asyncProperty(definitions, async (definition) => {
        const pure = all.flatMap((subject, i) =>
          matchesDefinition(definition, subject, noon) ? [i] : [],
        );
        expect(await matching(definition, noon)).toEqual(pure);
      }),
      { numRuns: countRuns(120) },
    );
  });
});

describe('the first matching cohort', () => {
  const cohorts = [
    { id: 'cohort_old', definition: { tenure_days_min: 10 } },
    { id: 'cohort_active', definition: { status: ['active' as const], plan_ids: ['pro'] } },
  ];

  it('depends on the state of the subscriber at the given instant', async () => {
    const story = new Story();
    const first = (at: Instant) => findFirstMatching(cohorts, story.state, at);
    expect(first(noon)).toBeNull();
    const { state } = await Story.active();
    expect(findFirstMatching(cohorts, state, noon)).toBe('cohort_active');
    expect(first(plusDays(noon, 10))).toBe('cohort_old');
  });

  it('is null for an erased subscriber', () => {
    const { state } = new Story();
    const gone = eraseSubscriber(noon, 'api')(state).map((fact) => ({ ...fact, at: noon }));
    const erased = fold(subscriberAggregate, state, gone);
    expect(findFirstMatching([{ id: 'cohort_all', definition: {} }], state, noon)).toBe(
      'cohort_all',
    );
    expect(findFirstMatching([{ id: 'cohort_all', definition: {} }], erased, noon)).toBeNull();
  });
});
