import { unreachable } from '../../kernel/decider';
import { type Instant, parseInstant } from '../../kernel/time';
import type { ImportLine } from './import.lines';

/** What a payment is taken to be for where its line does not say. */
export const REASON_DEFAULT = 'renewal';

/** A date-time of a line that was found valid. */
export const instantOf = (text: string): Instant => {
  const at = parseInstant(text);
  if (at === null) throw new Error('a validated date-time is none');
  return at;
};

/** The fields that are instants, in lines of all kinds. */
const INSTANTS = new Set([
  'created_at',
  'current_period_start',
  'current_period_end',
  'trial_end',
  'cancelled_at',
  'occurred_at',
]);

/**
 * What a line says, however it is written (Clarifications, "Import": a repeated external_id of the same
 * content changes nothing): instants in UTC, tags as the set they are, and what may be left out filled
 * in. What follows from the time of the import, such as a missing `created_at`, stays left out.
 */
export const contentOf = (line: ImportLine): Readonly<Record<string, unknown>> => ({
  ...Object.fromEntries(
    Object.entries(line).map(([name, value]) => [
      name,
      INSTANTS.has(name) ? instantOf(value as string) : (value as unknown),
    ]),
  ),
  ...filledIn(line),
});

const filledIn = (line: ImportLine): Readonly<Record<string, unknown>> => {
  switch (line.kind) {
    case 'subscriber':
      return { tags: [...new Set(line.tags)].sort(), metadata: line.metadata ?? {} };
    case 'subscription':
      return {};
    case 'payment':
      return { reason: line.reason ?? REASON_DEFAULT };
    default:
      return unreachable(line);
  }
};
