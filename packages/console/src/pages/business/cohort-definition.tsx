import type { Cohort } from '@subscription-event-service/sdk';
import type { JSX } from 'preact';
import { ROW_PAUSE_MS, useNames } from '../../api/names';

export type CohortDefinition = Cohort['definition'];

/** Shows a definition, such as "active or trialing, on Pro, tagged vip, for at least 30 days". */
export const Definition = ({ definition }: { definition: CohortDefinition }): JSX.Element => {
  const findPlanName = useNames('plans', ROW_PAUSE_MS);
  const parts = [
    joinWords(definition.status, ' or '),
    addPrefix('on ', joinWords(definition.plan_ids?.map(findPlanName), ' or ')),
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
  return <>{parts.length === 0 ? 'everybody' : parts.join(', ')}</>;
};

const joinWords = (values: readonly string[] | undefined, separator: string): string =>
  (values ?? []).join(separator);

const addPrefix = (prefix: string, text: string): string => (text === '' ? '' : prefix + text);
