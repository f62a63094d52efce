import type { Cohort } from '@subscription-event-service/sdk';

export type CohortDefinition = Cohort['definition'];

/** Formats a definition, such as "active or trialing, on pro, tagged vip, for at least 30 days". */
export const describeDefinition = (definition: CohortDefinition): string => {
  const parts = [
    joinWords(definition.status, ' or '),
    addPrefix('on ', joinWords(definition.plan_ids, ' or ')),
    addPrefix(
      'tagged ',
      joinWords(definition.tags_include, definition.tags_match === 'all' ? ' and ' : ' or '),
    ),
    addPrefix('not tagged ', joinWords(definition.tags_exclude, ' or ')),
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

const joinWords = (values: readonly string[] | undefined, separator: string): string =>
  (values ?? []).join(separator);

const addPrefix = (prefix: string, text: string): string => (text === '' ? '' : prefix + text);
