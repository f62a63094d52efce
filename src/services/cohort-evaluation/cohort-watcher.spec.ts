import { noon } from '../../../test/support/given';
import { listFactTimes, Story, type StoryFact, subscriberId } from '../../../test/support/story';
import { plusDays } from '../../kernel/time';
import type { Triggering } from '../motion-triggering/triggering';
import type { KnownCohort } from '../../domain/cohorts/cohort.decider';
import type { CohortDefinition } from '../../domain/cohorts/cohort.events';
import { CohortWatcher, type WatchedCohort } from './cohort-watcher';

const cohort = (definition: CohortDefinition, id = 'cohort_1'): KnownCohort => ({
  status: 'known',
  id,
  scope: { tenantId: 'tnt_1', environment: 'test' },
  name: id,
  description: null,
  definition,
  definitionVersion: 1,
  backfilled: true,
  createdAt: noon,
  updatedAt: noon,
});

/** Records which motions are requested, and when. */
const triggered: string[] = [];
const triggering = {
  triggerOnEntry: ({ now }, { cohortId }) => {
    triggered.push(`${now.slice(0, 16)} ${cohortId}`);
    return Promise.resolve();
  },
} as Pick<Triggering, 'triggerOnEntry'> as Triggering;

const watching = (
  definitions: readonly CohortDefinition[],
  over: { listed?: readonly string[]; isEvaluated?: boolean } = {},
) => {
  const { listed = [], isEvaluated = true } = over;
  const cohorts = definitions.map((definition, i): WatchedCohort => ({
    cohort: cohort(definition, `cohort_${i + 1}`),
    isEvaluated,
  }));
  const watched = { subscriberId, since: noon, cohorts, listed: new Set(listed) };
  return { watch: () => new CohortWatcher(watched, triggering) };
};

const moves = (facts: readonly StoryFact[]): string[] =>
  facts.flatMap((fact) =>
    fact.type === 'cohort.entered' || fact.type === 'cohort.exited'
      ? [`${fact.at.slice(0, 16)} ${fact.type} ${fact.data.reason}`]
      : [],
  );

describe('cohorts during an advance of a test clock', () => {
  it('are entered and left at the tenure boundaries', async () => {
    const story = new Story(watching([{ tenure_days_min: 2, tenure_days_max: 3 }]));
    expect(moves(await story.after(30))).toEqual([
      '2026-03-12T12:00 cohort.entered tenure',
      '2026-03-14T12:00 cohort.exited tenure',
    ]);
    expect(await story.after(30)).toEqual([]);
  });

  it('are left by a member that has no event of its entry', async () => {
    const story = new Story(watching([{ tenure_days_max: 5 }], { listed: ['cohort_1'] }));
    expect(moves(await story.after(19))).toEqual(['2026-03-16T12:00 cohort.exited tenure']);
  });

  it('follow the timers of an instant before later ones', async () => {
    const story = await Story.trialing(null, watching([{ status: ['lapsed'] }]));
    const facts = await story.until(plusDays(noon, 30));
    expect(listFactTimes(facts)).toEqual([
      '2026-03-21T12:00 subscription.trial_will_end',
      '2026-03-24T12:00 subscription.lapsed',
      '2026-03-24T12:00 cohort.entered',
    ]);
    expect(moves(facts)).toEqual(['2026-03-24T12:00 cohort.entered subscriber_changed']);
  });

  it('have the reason tenure if a boundary and a timer are at the same instant', async () => {
    const definitions = [{ tenure_days_min: 14 }, { status: ['lapsed' as const] }];
    const story = await Story.trialing(null, watching(definitions));
    expect(moves(await story.after(30))).toEqual([
      '2026-03-24T12:00 cohort.entered tenure',
      '2026-03-24T12:00 cohort.entered subscriber_changed',
    ]);
  });

  it('are evaluated at the start and at the end of the advance', async () => {
    const definitions = [{ status: ['trialing' as const] }, { status: ['lapsed' as const] }];
    const story = await Story.trialing(null, watching(definitions));
    expect(moves(await story.until(plusDays(noon, 14)))).toEqual([
      '2026-03-10T12:00 cohort.entered subscriber_changed',
      '2026-03-24T12:00 cohort.exited subscriber_changed',
      '2026-03-24T12:00 cohort.entered subscriber_changed',
    ]);
  });

  it('have the reason definition_changed if the definition changed just before', async () => {
    const definitions = [{ tenure_days_max: 3 }];
    const story = new Story(watching(definitions, { isEvaluated: false }));
    expect(moves(await story.after(9))).toEqual([
      '2026-03-10T12:00 cohort.entered definition_changed',
      '2026-03-14T12:00 cohort.exited tenure',
    ]);
  });

  it('trigger their motions at the instant of the entry', async () => {
    triggered.length = 0;
    await new Story(watching([{ tenure_days_min: 7 }])).after(30);
    expect(triggered).toEqual(['2026-03-17T12:00 cohort_1']);
  });
});
