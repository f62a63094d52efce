export const capitalise = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/**
 * Characters that end a line or are invisible. In a mail header or a log they would change the
 * meaning of the following text. The constant is for use in a character class of a regular
 * expression.
 */
export const CONTROL_CHARACTERS = '\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029';
