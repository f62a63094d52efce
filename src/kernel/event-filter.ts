import { DomainError } from './errors';
import { findMeant, suggestNames } from './nearest';

/** A selection of event types: exact types, families (`payment.*`) or all (`*`). */
export interface EventFilter {
  /** The patterns as given, without duplicates; null = every type. */
  readonly patterns: readonly string[] | null;
  readonly matches: (type: string) => boolean;
}

export const EVERY_TYPE: EventFilter = { patterns: null, matches: () => true };

/** A message quotes at most this much of an unknown type. */
const QUOTED_CHARS_MAX = 64;

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
  const families = [...new Set(knownTypes.map(readFamily))].sort();
  const unknown = patterns.find(
    (pattern) =>
      pattern !== '*' &&
      !knownTypes.includes(pattern) &&
      !(pattern.endsWith('.*') && families.includes(pattern.slice(0, -'.*'.length))),
  );
  if (unknown !== undefined) {
    throw new DomainError(
      'parameter_invalid',
      `${param} has ${unknown.slice(0, QUOTED_CHARS_MAX)}, which is neither an event type, nor a family such as payment.*, nor *.` +
        suggestTypes(unknown, { knownTypes, families }),
      { param, details: { value: unknown, families } },
    );
  }
  return toFilter([...new Set(patterns)]);
};

interface KnownPatterns {
  readonly knownTypes: readonly string[];
  readonly families: readonly string[];
}

/**
 * Returns the end of the message about an unknown type: the type or family that was probably meant,
 * or the types of its family, or where all types are listed.
 */
export const suggestTypes = (unknown: string, { knownTypes, families }: KnownPatterns): string => {
  const text = unknown.toLowerCase();
  const meant = findMeant(text, [...knownTypes, ...families.map((family) => `${family}.*`)]);
  if (meant !== undefined) return ` Did you mean ${meant}?`;
  const family = readFamily(text);
  const types = knownTypes.filter((type) => family !== '' && readFamily(type) === family);
  const listed = suggestNames('', types, { kind: 'type', parent: `${family}.` });
  return listed === '' ? ' GET /v1/event_types lists the types.' : listed;
};

/** Creates a filter from patterns that were checked when they were stored; null = every type. */
export const toFilter = (patterns: readonly string[] | null): EventFilter => {
  if (patterns === null || patterns.includes('*')) return EVERY_TYPE;
  const exact = new Set(patterns.filter((pattern) => !pattern.endsWith('.*')));
  const families = new Set(patterns.filter((pattern) => pattern.endsWith('.*')).map(readFamily));
  return { patterns, matches: (type) => exact.has(type) || families.has(readFamily(type)) };
};
