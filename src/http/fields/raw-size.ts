import type { FieldError } from '../../kernel/errors';

/** The largest number of values in a body. Every operation needs far fewer. */
export const VALUES_MAX = 5_000;
/**
 * The largest number of levels in a body. Valid bodies have far fewer. Recursion over this many
 * levels is safe.
 */
export const LEVELS_MAX = 100;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPEN = new Set([0x5b, 0x7b]);
const CLOSE = new Set([0x5d, 0x7d]);

/**
 * Checks, before a text is parsed as JSON, whether it has more values or levels than a body may
 * have. Parsing a megabyte of such values takes longer than one request may block the event loop.
 * The check counts separators outside of strings, whether or not the text is valid JSON.
 */
export const findSizeFlaw = (text: string): FieldError | null => {
  let values = 1;
  let level = 0;
  let inText = false;
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charCodeAt(at);
    if (inText) {
      if (char === BACKSLASH) at += 1;
      else if (char === QUOTE) inText = false;
    } else if (char === QUOTE) inText = true;
    else if (char === COMMA) values += 1;
    else if (OPEN.has(char)) {
      values += 1;
      level += 1;
      if (level > LEVELS_MAX + 1) return createTooLarge(DEPTH);
    } else if (CLOSE.has(char)) level -= 1;
    if (values > VALUES_MAX) return createTooLarge(VALUES);
  }
  return null;
};

export const DEPTH = `No more than ${LEVELS_MAX} levels may be nested.`;
const VALUES = `A body may hold at most ${VALUES_MAX} values.`;

const createTooLarge = (message: string): FieldError => ({
  param: 'body',
  code: 'parameter_invalid',
  message,
});
