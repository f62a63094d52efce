import { DomainError } from './errors';
import { findMeant, findNearest } from './nearest';

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
  const families = [...new Set(knownTypes.map(readFamily))].sort();
  const known = new Set(['*', ...knownTypes, ...families.map((family) => `${family}.*`)]);
  const unknown = patterns.find((pattern) => !known.has(pattern));
  if (unknown !== undefined) {
    throw new DomainError(
      'parameter_invalid',
      `${param} must have only types of the event catalogue (/docs/events), families such as payment.*, or *, but has ${quote(unknown)}.${suggestPattern(unknown, [...known])}`,
      { param, details: { value: unknown, families } },
    );
  }
  return toFilter([...new Set(patterns)]);
};

/** A message shows at most this many characters of a wrong value. */
const VALUE_CHARS_MAX = 100;

const quote = (text: string): string => {
  const characters = Array.from(text);
  const isLong = characters.length > VALUE_CHARS_MAX;
  return JSON.stringify(isLong ? `${characters.slice(0, VALUE_CHARS_MAX).join('')}…` : text);
};

/** Returns the pattern that was probably meant: a misspelt one, or the nearest of its family. */
const suggestPattern = (pattern: string, known: readonly string[]): string => {
  const [family = ''] = pattern.split('.', 1);
  const ofFamily = known.filter((each) => each.startsWith(`${family}.`));
  const meant = findMeant(pattern, known) ?? findNearest(pattern, ofFamily);
  return meant === undefined ? '' : ` Did you mean ${meant}?`;
};

/** Creates a filter from patterns that were checked when they were stored; null = every type. */
export const toFilter = (patterns: readonly string[] | null): EventFilter => {
  if (patterns === null || patterns.includes('*')) return EVERY_TYPE;
  const exact = new Set(patterns.filter((pattern) => !pattern.endsWith('.*')));
  const families = new Set(patterns.filter((pattern) => pattern.endsWith('.*')).map(readFamily));
  return { patterns, matches: (type) => exact.has(type) || families.has(readFamily(type)) };
};
