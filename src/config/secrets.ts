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
  writeFlushed(draft, `${randomBytes(KEY_BYTES).toString('base64')}\n`);
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

/**
 * The master keys, one in each line, the current one first: two while a rotation is under way. The
 * first is made before there is any data; where there is, a new one could not read it.
 */
export const keptMasterKeys = (dataDir: string): readonly [Uint8Array, ...Uint8Array[]] => {
  const file = masterKeyFile(dataDir);
  if (!existsSync(file) && holdsData(dataDir)) {
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

/** Null where the text is not keys of the right length. */
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

/** Replaces the file as a whole, flushed before it gets its name: a crash leaves one or the other. */
export const keepMasterKeys = (dataDir: string, keys: readonly Uint8Array[]): void => {
  const file = masterKeyFile(dataDir);
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
