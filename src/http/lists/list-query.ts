import { DomainError } from '../../kernel/errors';
import { type Instant, parseInstant } from '../../kernel/time';
import { Moment, MOMENT_RULE, QueryInt, Text } from '../fields/fields';
import { LIMIT_DEFAULT, LIMIT_MAX } from './pagination';

const CURSOR_CHARS_MAX = 512;

class CursorParameters {
  @Text({
    max: CURSOR_CHARS_MAX,
    optional: true,
    code: 'invalid_cursor',
    description:
      'Pass `next_cursor` of the previous page; an object id works too. Not together with `ending_before`.',
  })
  readonly starting_after?: string;

  @Text({
    max: CURSOR_CHARS_MAX,
    optional: true,
    code: 'invalid_cursor',
    description: 'The page immediately before this cursor. Not together with `starting_after`.',
  })
  readonly ending_before?: string;
}

/** The query parameters of every list. */
export class PageParameters extends CursorParameters {
  @QueryInt({
    min: 1,
    max: LIMIT_MAX,
    optional: true,
    default: LIMIT_DEFAULT,
    code: 'limit_out_of_range',
  })
  readonly limit?: number;
}

/** The query parameters of a list that is short enough to be one page. */
export class ShortListQuery extends CursorParameters {
  @QueryInt({
    min: 1,
    max: LIMIT_MAX,
    optional: true,
    code: 'limit_out_of_range',
    description: 'Without it, the list is one page.',
  })
  readonly limit?: number;
}

/** The query parameters of lists of objects with a creation time. */
export class ListQuery extends PageParameters {
  @Moment({ optional: true, description: 'Only objects created at this moment or later.' })
  readonly created_after?: string;

  @Moment({ optional: true, description: 'Only objects created before this moment.' })
  readonly created_before?: string;
}

/** Converts a validated date-time to an instant. */
export const toInstant = (text: string, param: string): Instant => {
  const at = parseInstant(text);
  if (at === null)
    throw new DomainError('parameter_invalid', `${param} ${MOMENT_RULE}.`, { param });
  return at;
};
