import { isEmail } from 'class-validator';

/**
 * Line ends and other control characters. With them, the name in front of an address could add a
 * header to a mail.
 */
const CONTROL = /[\p{Cc}\p{Zl}\p{Zp}]/u;

/** True for an e-mail address that can be written in the header of a mail. */
export const isEmailAddress = (value: unknown): boolean =>
  typeof value === 'string' && isEmail(value) && !CONTROL.test(value);
