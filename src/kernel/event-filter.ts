import { DomainError } from './errors';

/** A selection of event types: exact types, families (`payment.*`) or all (`*`). */
export interface EventFilter {
  /** The patterns as given, without duplicates; null = every type. */
  readonly patterns: readonly string[] | null;
  readonly matches: (type: string) => boolean;
}

export const EVERY_TYPE: EventFilter = { patterns: null, matches: () => true };

const readFamily = (type: string): string => type.slice(0, type.indexOf('.'));

/**
 * Parses `event_types`, which must be not empty, lower case, and only known types and
 * families. `*` means every type, even among others.
 */
export const parseEventTypes = (
  patterns: readonly string[],
  knownTypes: readonly string[],
  param = 'event_types',
): EventFilter => {
  if (patterns.length === 0) {
    throw new DomainError(
      'parameter_invalid',
      `${param} must not be empty; leave it out for all.`,
      {
        param,
      },
    );
  }
  const families = new Set(knownTypes.map(readFamily));
  for (const pattern of patterns) {
    const known =
      pattern === '*' ||
      knownTypes.includes(pattern) ||
      (pattern.endsWith('.*') && families.has(pattern.slice(0, -'.*'.length)));
    if (!known) {
      throw new DomainError(
        'parameter_invalid',
        `${param} must have only types of the event catalogue (/docs/events), families such as payment.*, or *.`,
        {
          param,
          details: { value: pattern, families: [...families].sort() },
        },
      );
    }
  }
  return toFilter([...new Set(patterns)]);
};

/** Creates a filter from patterns that were checked when they were stored; null = every type. */
export const toFilter = (patterns: readonly string[] | null): EventFilter => {
  if (patterns === null || patterns.includes('*')) return EVERY_TYPE;
  const exact = new Set(patterns.filter((pattern) => !pattern.endsWith('.*')));
  const families = new Set(patterns.filter((pattern) => pattern.endsWith('.*')).map(readFamily));
  return { patterns, matches: (type) => exact.has(type) || families.has(readFamily(type)) };
};
