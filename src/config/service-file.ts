import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const OWNER_ONLY = 0o600;

/** The address of a running service, stored in its data directory for the command line. */
export interface ServiceAddress {
  readonly url: string;
  readonly pid: number;
}

const locateServiceFile = (dataDir: string): string => join(dataDir, 'service.json');

/** Writes the address of this process. Nothing is written to a read-only data directory. */
export const writeServiceFile = (dataDir: string, url: string): void => {
  const file = locateServiceFile(dataDir);
  const draft = `${file}.${process.pid}`;
  try {
    writeFileSync(draft, `${JSON.stringify({ url, pid: process.pid })}\n`, { mode: OWNER_ONLY });
    renameSync(draft, file);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'EROFS' && code !== 'EACCES' && code !== 'EPERM') throw error;
  }
};

/** Removes the file unless another process has written its own address. */
export const removeServiceFile = (dataDir: string): void => {
  if (readServiceFile(dataDir)?.pid === process.pid)
    rmSync(locateServiceFile(dataDir), { force: true });
};

/** Reads the address of a running service; null if there is none. */
export const readServiceFile = (dataDir: string): ServiceAddress | null => {
  try {
    const { url, pid } = JSON.parse(readFileSync(locateServiceFile(dataDir), 'utf8')) as {
      url?: unknown;
      pid?: unknown;
    };
    return typeof url === 'string' && typeof pid === 'number' ? { url, pid } : null;
  } catch {
    return null;
  }
};
