import type { FieldError } from '../../kernel/errors';
import { DEPTH, LEVELS_MAX } from './raw-size';
import { PARAM_CHARS_MAX, createPath, createUnknownField } from './validation';

/**
 * The largest number of keys of an object. The time of validation grows with the square of this
 * number.
 */
const KEYS_MAX = 200;
/**
 * The largest number of items of a list. The longest list of any operation is `event_ids` of a
 * replay.
 */
const ITEMS_MAX = 500;
/** The character NUL. The stores accept neither NUL nor lone surrogates. */
const NUL = '\u0000';
/**
 * The names of properties that every object inherits. Libraries rely on these properties or drop
 * them.
 */
const INHERITED_KEYS = new Set(Object.getOwnPropertyNames(Object.prototype));

/**
 * Finds input that no operation accepts: text that the stores cannot contain, numbers that are too
 * large, keys that every object inherits, or too many levels, keys or items. The time is linear in
 * the size of the input. Returns null if there is no fault.
 */
export const findFlaw = (value: unknown, param = '', level = 0): FieldError | null => {
  if (typeof value === 'string') return isStorable(value) ? null : invalidError(param, TEXT);
  if (typeof value === 'number') return Number.isFinite(value) ? null : invalidError(param, NUMBER);
  if (typeof value !== 'object' || value === null) return null;
  if (level > LEVELS_MAX) return invalidError(param.split(/[.[]/, 1)[0] ?? '', DEPTH);
  return Array.isArray(value)
    ? findItemFlaw(value, param, level)
    : findFieldFlaw(value, param, level);
};

const findItemFlaw = (
  items: readonly unknown[],
  param: string,
  level: number,
): FieldError | null => {
  if (items.length > ITEMS_MAX) return invalidError(param, ITEMS);
  for (const [index, item] of items.entries()) {
    const flaw = findFlaw(item, createPath(param, String(index)), level + 1);
    if (flaw !== null) return flaw;
  }
  return null;
};

const findFieldFlaw = (fields: object, param: string, level: number): FieldError | null => {
  const entries = Object.entries(fields);
  if (entries.length > KEYS_MAX) return invalidError(param, KEYS);
  for (const [key, item] of entries) {
    const inner = createPath(param, key);
    if (!isStorable(key)) return invalidError(param, TEXT);
    if (INHERITED_KEYS.has(key)) return createUnknownField(inner);
    const flaw = findFlaw(item, inner, level + 1);
    if (flaw !== null) return flaw;
  }
  return null;
};

const TEXT = 'Text must be well-formed Unicode without the NUL character.';
const NUMBER = 'The number is too large.';
const KEYS = `An object may have at most ${KEYS_MAX} fields.`;
const ITEMS = `A list may have at most ${ITEMS_MAX} items.`;

/** True unless the text contains NUL or lone surrogates, which the stores do not accept. */
export const isStorable = (text: string): boolean => !text.includes(NUL) && text.isWellFormed();

const invalidError = (param: string, message: string): FieldError => ({
  // An error without the name of a field is about the whole body.
  param: param === '' ? 'body' : param.slice(0, PARAM_CHARS_MAX),
  code: 'parameter_invalid',
  message,
});
