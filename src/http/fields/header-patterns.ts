/** The patterns of request headers. The pipeline checks them, and the API reference shows them. */

/** The pattern of `If-Match`: an ETag such as `"12"` or `W/"12"`, or `*` for any version. */
export const IF_MATCH = /^(\*|(W\/)?"[0-9]{1,15}")$/;

/** The pattern of a position in the log, as the header `X-Service-Log-Position` contains it. */
export const LOG_POSITION = /^[0-9]{1,19}$/;

/**
 * The pattern of `Idempotency-Key`: 1 to 255 printable ASCII characters. HTTP itself drops white
 * space around them.
 */
export const IDEMPOTENCY_KEY = /^[!-~]([ -~]{0,253}[!-~])?$/;
