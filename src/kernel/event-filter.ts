import { DomainError } from './errors';

/** Which event types somebody wants: exact types, families (`payment.*`) or all (`*`). */
export interface EventFilter {
  /** As given, without duplicates; null = every type. */
  readonly patterns: readonly string[] | null;
  readonly matches: (type: string) => boolean;
}

export const EVERY_TYPE: EventFilter = { patterns: null, matches: () => true };

const familyOf = (type: string): string => type.slice(0, type.indexOf('.'));

/**
 * Reads `event_types` (decisions 1.7, "Filters"): lower-case, known types and families only, not
 * empty; `*` alone or among others means every type.
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
  const families = new Set(knownTypes.map(familyOf));
  for (const pattern of patterns) {
    const known =
      pattern === '*' ||
      knownTypes.includes(pattern) ||
      (pattern.endsWith('.*') && families.has(familyOf(pattern)));
    if (!known) {
      throw new DomainError('parameter_invalid', `${param} has an unknown type or family.`, {
        param,
        details: { value: pattern, families: [...families].sort() },
      });
    }
  }
  return toFilter([...new Set(patterns)]);
};

/** A filter from patterns that were checked when they were stored; null = every type. */
export const toFilter = (patterns: readonly string[] | null): EventFilter => {
  if (patterns === null || patterns.includes('*')) return EVERY_TYPE;
  const exact = new Set(patterns.filter((pattern) => !pattern.endsWith('.*')));
  const families = new Set(patterns.filter((pattern) => pattern.endsWith('.*')).map(familyOf));
  return { patterns, matches: (type) => exact.has(type) || families.has(familyOf(type)) };
};
