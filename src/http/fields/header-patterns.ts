/** What request headers may hold: the pipeline checks it, and the API reference says it. */

/** `"12"`, the same as a weak validator, or `*` for any version. */
export const IF_MATCH = /^(\*|(W\/)?"[0-9]{1,15}")$/;

/** The position that a write answered. */
export const LOG_POSITION = /^[0-9]{1,19}$/;

/** 1 to 255 printable ASCII characters; HTTP itself drops white space around them. */
export const IDEMPOTENCY_KEY = /^[!-~]([ -~]{0,253}[!-~])?$/;
