import { resolve } from 'node:path';

/** What stands before a command so that it finds this data directory. `./data` is found by itself. */
export const dataDirPrefix = (dataDir: string): string => {
  const path = resolve(dataDir);
  return path === resolve('data') ? '' : `DATA_DIR=${quoted(path)} `;
};

/** A text as the shell takes it. */
export const quoted = (text: string): string =>
  /^[\w./:@%+=-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
