const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);

/**
 * True on versions of Node whose HTTP/2 server has the options `streamResetBurst` and
 * `streamResetRate`. On older ones a filter (reset-filter.ts) keeps resets from being counted.
 */
export const canTurnOffResetLimit = major >= 23 || (major === 22 && minor >= 20);

const UNLIMITED = 2 ** 31 - 1;

/** Options of the HTTP/2 server: clients may reset streams as fast as they like. */
export const NO_RESET_LIMIT = { streamResetBurst: UNLIMITED, streamResetRate: UNLIMITED };
