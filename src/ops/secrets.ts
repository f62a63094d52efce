import { randomBytes } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  readdirSync,
  readFileSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { ConfigError } from '../config';

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

/** Made before there is any data; where there is, a new one could not read it. */
export const keptMasterKey = (dataDir: string): Uint8Array => {
  const file = masterKeyFile(dataDir);
  if (!existsSync(file) && holdsData(dataDir)) {
    throw new ConfigError([
      `MASTER_KEY is not set and ${file} is missing, but there is data that was written with the ` +
        'key: bring the file back, or set the variable',
    ]);
  }
  const key = Buffer.from(readMasterKey(file), 'base64');
  if (key.length === KEY_BYTES) return new Uint8Array(key);
  throw new ConfigError([
    `MASTER_KEY is not set and ${file} does not hold ${KEY_BYTES} bytes in base64`,
  ]);
};

const readMasterKey = (file: string): string => {
  try {
    return keptIn(file);
  } catch (error) {
    const { message } = error as Error;
    throw new ConfigError([`MASTER_KEY is not set and ${file} cannot be read: ${message}`]);
  }
};

const holdsData = (dataDir: string): boolean => {
  const dir = join(dataDir, 'eventstore');
  return existsSync(dir) && readdirSync(dir).length > 0;
};
