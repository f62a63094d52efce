import type { Cohort } from '@subscription-event-service/sdk';

export type CohortDefinition = Cohort['definition'];

/** A definition as a sentence: "active or trialing, on pro, tagged vip, for at least 30 days". */
export const describeDefinition = (definition: CohortDefinition): string => {
  const parts = [
    listOf(definition.status, ' or '),
    prefixed('on ', listOf(definition.plan_ids, ' or ')),
    prefixed(
      'tagged ',
      listOf(definition.tags_include, definition.tags_match === 'all' ? ' and ' : ' or '),
    ),
    prefixed('not tagged ', listOf(definition.tags_exclude, ' or ')),
    definition.tenure_days_min === undefined
      ? ''
      : `for at least ${definition.tenure_days_min} days`,
    definition.tenure_days_max === undefined
      ? ''
      : `for at most ${definition.tenure_days_max} days`,
    definition.engagement_score_min === undefined
      ? ''
      : `engagement of at least ${definition.engagement_score_min}`,
  ].filter((part) => part !== '');
  return parts.length === 0 ? 'everybody' : parts.join(', ');
};

const listOf = (values: readonly string[] | undefined, separator: string): string =>
  (values ?? []).join(separator);

const prefixed = (prefix: string, text: string): string => (text === '' ? '' : prefix + text);
