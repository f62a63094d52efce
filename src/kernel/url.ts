import { CONTROL_CHARACTERS } from './text';

const BLANK = `\\s${CONTROL_CHARACTERS}`;

/**
 * A URL that a parser does not have to repair: scheme and `//`, host without user name, no
 * fragment, no white space and no control characters.
 */
export const PLAIN_URL = new RegExp(
  `^[A-Za-z][A-Za-z0-9+.-]*://[^/?#\\\\@${BLANK}]+([/?][^#\\\\${BLANK}]*)?$`,
);
