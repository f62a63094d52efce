import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readDataDir } from './service-address';

const OWNER_ONLY = 0o600;

/** The tenant that `quickstart` created, with its key of the test environment. */
export interface QuickstartTenant {
  readonly tenant: string;
  readonly key: string;
}

/** Returns the file of the tenant in DATA_DIR, which must be the directory of the running service. */
export const locateQuickstartTenant = (): string =>
  join(readDataDir(process.env), 'quickstart.json');

/**
 * Stores the tenant beside the operator token, readable by the owner only, so that later commands
 * need no --key.
 */
export const storeQuickstartTenant = (kept: QuickstartTenant): void => {
  const file = locateQuickstartTenant();
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, `${JSON.stringify(kept)}\n`, { mode: OWNER_ONLY });
  renameSync(draft, file);
};

export const readQuickstartTenant = (): QuickstartTenant | null => {
  try {
    const { tenant, key } = JSON.parse(
      readFileSync(locateQuickstartTenant(), 'utf8'),
    ) as Partial<QuickstartTenant>;
    return typeof tenant === 'string' && typeof key === 'string' ? { tenant, key } : null;
  } catch {
    return null;
  }
};
