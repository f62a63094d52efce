/**
 * Characters that end a line, or that no line shows: in a mail's header or a log they make something
 * else of what follows them. For a class of a regular expression.
 */
export const CONTROL_CHARACTERS = '\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029';
