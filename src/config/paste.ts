import { resolve } from 'node:path';

/**
 * Returns the prefix of a command that selects this data directory; empty for `./data`, which is
 * the default.
 */
export const createDataDirPrefix = (dataDir: string): string => {
  const path = resolve(dataDir);
  return path === resolve('data') ? '' : `DATA_DIR=${quoteForShell(path)} `;
};

/** Quotes a text for the shell. */
export const quoteForShell = (text: string): string =>
  /^[\w./:@%+=-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
