import { readFileSync } from 'node:fs';

/** Returns the end of a sentence about a file that cannot be read; null if the file can be read. */
export const describeUnreadable = (file: string): string | null => {
  try {
    readFileSync(file);
    return null;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return `${file}, which cannot be read (${String(code)}): name a file that this account can read`;
  }
};
