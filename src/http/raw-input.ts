import type { FieldError } from '../kernel/errors';
import { pathTo, unknownField } from './validation';

/** Deeper than any body has reason to be, and far from what recursion can bear. */
const LEVELS_MAX = 100;
/** NUL and lone surrogates: no store keeps them. */
const NUL = '\u0000';
/** Names that every object has: libraries on the way take them for granted, or leave them out. */
const INHERITED = new Set(Object.getOwnPropertyNames(Object.prototype));

/**
 * What is wrong with a parsed text from outside, whatever it is meant to be: text that no store could
 * keep, numbers beyond any, names that every object has, nesting without end. Null when nothing is.
 */
export const flawOf = (value: unknown, param = '', level = 0): FieldError | null => {
  if (typeof value === 'string') return isStorable(value) ? null : invalid(param, TEXT);
  if (typeof value === 'number') return Number.isFinite(value) ? null : invalid(param, NUMBER);
  if (typeof value !== 'object' || value === null) return null;
  if (level > LEVELS_MAX) return invalid(param.split(/[.[]/, 1)[0] ?? '', DEPTH);
  for (const [key, item] of Object.entries(value)) {
    const inner = pathTo(param, key);
    if (!isStorable(key)) return invalid(param, TEXT);
    if (INHERITED.has(key)) return unknownField(inner);
    const flaw = flawOf(item, inner, level + 1);
    if (flaw !== null) return flaw;
  }
  return null;
};

const TEXT = 'Text must be well-formed Unicode without the NUL character.';
const NUMBER = 'The number is too large.';
const DEPTH = `No more than ${LEVELS_MAX} levels may be nested.`;

const isStorable = (text: string): boolean => !text.includes(NUL) && text.isWellFormed();

const invalid = (param: string, message: string): FieldError => ({
  // The whole body is meant where no field has a name.
  param: param === '' ? 'body' : param,
  code: 'parameter_invalid',
  message,
});
