import { statfsSync } from 'node:fs';
import { DISK_FREE_BYTES_MIN } from './environment/stores';
import type { Readiness } from './modules/readiness';

/** The readiness check of the disk. A start does not wait for it: reads go on while it is full. */
export const DISK_CHECK = 'disk';

/** Adds the check for the disk of the embedded stores, which refuse writes below this limit. */
export const observeDisk = (readiness: Readiness, directory: string): void => {
  readiness.observe(DISK_CHECK, () => {
    const { bavail, bsize } = statfsSync(directory);
    return bavail * bsize < DISK_FREE_BYTES_MIN ? 'full' : 'ok';
  });
};
