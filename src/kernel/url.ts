import { CONTROL_CHARACTERS } from './text';

/**
 * Maximum number of characters of a host name, without a dot at its end, and of each of its labels
 * (RFC 1035 section 2.3.4, RFC 1123 section 2.1). No longer name can be looked up.
 */
export const HOST_NAME_MAX = 253;
export const HOST_LABEL_MAX = 63;

export const isHostNameTooLong = (hostname: string): boolean => {
  const name = hostname.replace(/\.$/, '');
  const isLabelTooLong = (label: string): boolean => label.length > HOST_LABEL_MAX;
  return name.length > HOST_NAME_MAX || name.split('.').some(isLabelTooLong);
};

const BLANK = `\\s${CONTROL_CHARACTERS}`;

/**
 * A URL that a parser does not have to repair: scheme and `//`, host without user name, no
 * fragment, no white space and no control characters.
 */
export const PLAIN_URL = new RegExp(
  `^[A-Za-z][A-Za-z0-9+.-]*://[^/?#\\\\@${BLANK}]+([/?][^#\\\\${BLANK}]*)?$`,
);
