import { resolve } from 'node:path';

/** Returns `DATA_DIR=…`, to be put in front of a command; empty for the default `./data`. */
export const createDataDirPrefix = (dataDir: string): string => {
  const path = resolve(dataDir);
  return path === resolve('data') ? '' : `DATA_DIR=${quoteForShell(path)} `;
};

/** Quotes a text for the shell. */
export const quoteForShell = (text: string): string =>
  /^[\w./:@%+=-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
