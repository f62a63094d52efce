import { unreachable } from '../../kernel/decider';
import { type Instant, parseInstant } from '../../kernel/time';
import type { ImportLine } from './import.lines';

/** Reason of a payment whose line does not name one. */
export const DEFAULT_REASON = 'renewal';

/** Parses a date-time that has already been validated. */
export const toInstant = (text: string): Instant => {
  const at = parseInstant(text);
  if (at === null) throw new Error('a validated date-time cannot be parsed');
  return at;
};

/** Names of the fields that are instants, in lines of all kinds. */
const INSTANTS = new Set([
  'created_at',
  'current_period_start',
  'current_period_end',
  'trial_end',
  'cancelled_at',
  'occurred_at',
]);

/**
 * Normalizes the content of a line, so that a line with the same content in another notation is
 * equal: such a line changes nothing. Instants are converted to UTC, tags are sorted and
 * unique, and missing fields with a default are filled in. Values that depend on the time of the
 * import, such as a missing `created_at`, stay missing.
 */
export const normalizeContent = (line: ImportLine): Readonly<Record<string, unknown>> => ({
  ...Object.fromEntries(
    Object.entries(line).map(([name, value]) => [
      name,
      INSTANTS.has(name) ? toInstant(value as string) : (value as unknown),
    ]),
  ),
  ...fillDefaults(line),
});

const fillDefaults = (line: ImportLine): Readonly<Record<string, unknown>> => {
  switch (line.kind) {
    case 'subscriber':
      return { tags: [...new Set(line.tags)].sort(), metadata: line.metadata ?? {} };
    case 'subscription':
      return {};
    case 'payment':
      return { reason: line.reason ?? DEFAULT_REASON };
    default:
      return unreachable(line);
  }
};
