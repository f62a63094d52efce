import { randomBytes } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { ConfigError } from './config';
import { findTokenFlaw } from './strong-token';

const KEY_BYTES = 32;
const OWNER_ONLY = 0o600;

/** Reads a secret from a file of the data directory (mode 0600) and creates it if it is missing. */
const readOrCreateSecret = (file: string): string => {
  if (!existsSync(file)) createSecret(file);
  return readFileSync(file, 'utf8').trim();
};

/**
 * Creates a secret. The file is flushed to disk before it gets its name, so that no data can exist
 * that needs a lost secret.
 */
const createSecret = (file: string): void => {
  const draft = `${file}.${process.pid}`;
  writeFlushed(draft, `${randomBytes(KEY_BYTES).toString('base64')}\n`);
  try {
    linkSync(draft, file);
  } catch (error) {
    // Another process has created the file in the meantime, so its secret is used.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    unlinkSync(draft);
  }
};

export const locateOperatorToken = (dataDir: string): string => join(dataDir, 'operator-token');
export const locateMasterKey = (dataDir: string): string => join(dataDir, 'master-key');

/** Loads the root token; creates it if there is none. The file may have been replaced by hand. */
export const loadOperatorToken = (dataDir: string): string => {
  const file = locateOperatorToken(dataDir);
  const token = readOrCreateSecret(file);
  const flaw = findTokenFlaw(token);
  if (flaw === null) return token;
  throw new ConfigError([`OPERATOR_TOKEN is not set, and the token in ${file} ${flaw}`]);
};

/**
 * Loads the master keys: one per line, the current one first, and two during a rotation. The first
 * key is created only while there is no data, because a new key could not decrypt existing data.
 */
export const loadMasterKeys = (dataDir: string): readonly [Uint8Array, ...Uint8Array[]] => {
  const file = locateMasterKey(dataDir);
  if (!existsSync(file) && hasData(dataDir)) {
    throw new ConfigError([
      `MASTER_KEY is not set and ${file} is missing, but there is data that was written with the ` +
        'key: bring the file back, or set the variable',
    ]);
  }
  const keys = parseMasterKeys(readMasterKey(file));
  if (keys !== null) return keys;
  throw new ConfigError([
    `MASTER_KEY is not set and ${file} does not hold ${KEY_BYTES} bytes in base64`,
  ]);
};

/** Parses master keys; null if the text does not contain keys of the right length. */
export const parseMasterKeys = (text: string): readonly [Uint8Array, ...Uint8Array[]] | null => {
  const keys = text
    .trim()
    .split(/\s+/)
    .map((line) => new Uint8Array(Buffer.from(line, 'base64')));
  const [first, ...others] = keys;
  return first !== undefined && keys.every(({ length }) => length === KEY_BYTES)
    ? [first, ...others]
    : null;
};

/**
 * Replaces the file of the master keys. The new file is flushed before it gets its name, so a crash
 * leaves the old or the new one.
 */
export const saveMasterKeys = (dataDir: string, keys: readonly Uint8Array[]): void => {
  const file = locateMasterKey(dataDir);
  const draft = `${file}.${process.pid}`;
  const lines = keys.map((key) => `${Buffer.from(key).toString('base64')}\n`);
  writeFlushed(draft, lines.join(''));
  renameSync(draft, file);
  const directory = openSync(dataDir, 'r');
  fsyncSync(directory);
  closeSync(directory);
};

const writeFlushed = (file: string, text: string): void => {
  const descriptor = openSync(file, 'w', OWNER_ONLY);
  writeSync(descriptor, text);
  fsyncSync(descriptor);
  closeSync(descriptor);
};

const readMasterKey = (file: string): string => {
  try {
    return readOrCreateSecret(file);
  } catch (error) {
    const { message } = error as Error;
    throw new ConfigError([`MASTER_KEY is not set and ${file} cannot be read: ${message}`]);
  }
};

const hasData = (dataDir: string): boolean => {
  const dir = join(dataDir, 'eventstore');
  return existsSync(dir) && readdirSync(dir).length > 0;
};
