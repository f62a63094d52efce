import { randomBytes } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  readFileSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';

const KEY_BYTES = 32;
const OWNER_ONLY = 0o600;

/** A secret kept in a file of the data directory (mode 0600), made once. */
const keptIn = (file: string): string => {
  if (!existsSync(file)) make(file);
  return readFileSync(file, 'utf8').trim();
};

/** Written whole and flushed before it gets its name: what it unlocks must never outlive it. */
const make = (file: string): void => {
  const draft = `${file}.${process.pid}`;
  const descriptor = openSync(draft, 'w', OWNER_ONLY);
  writeSync(descriptor, `${randomBytes(KEY_BYTES).toString('base64')}\n`);
  fsyncSync(descriptor);
  closeSync(descriptor);
  try {
    linkSync(draft, file);
  } catch (error) {
    // Another process made it meanwhile; then its secret is the one to use.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    unlinkSync(draft);
  }
};

export const operatorTokenFile = (dataDir: string): string => join(dataDir, 'operator-token');
export const masterKeyFile = (dataDir: string): string => join(dataDir, 'master-key');

export const keptOperatorToken = (dataDir: string): string => keptIn(operatorTokenFile(dataDir));

export const keptMasterKey = (dataDir: string): Uint8Array => {
  const key = Buffer.from(keptIn(masterKeyFile(dataDir)), 'base64');
  if (key.length === KEY_BYTES) return new Uint8Array(key);
  throw new Error(`${masterKeyFile(dataDir)} does not hold ${KEY_BYTES} bytes in base64`);
};
