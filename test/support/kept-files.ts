import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

/** Returns a directory for files that later runs of the tests use again. */
export const openKeptDirectory = (name: string): string => {
  const directory = join(__dirname, '../../node_modules/.cache/subscription-event-service', name);
  mkdirSync(directory, { recursive: true });
  return directory;
};
