import { InvalidArgumentError, Option } from 'commander';
import { resolve } from 'node:path';
import { parseInstant } from '../kernel/time';

/**
 * Parsers of arguments and options. A wrong value becomes a usage error that names the argument.
 */

/** Creates the option `--environment`, which takes the names of the two environments only. */
export const createEnvironmentOption = (description = 'the environment'): Option =>
  new Option('--environment <environment>', description).choices(['live', 'test']);

/** Parses names that are separated by commas. White space around them is dropped. */
export const parseList = (text: string): string[] => {
  const names = text.split(',').map((name) => name.trim());
  if (!names.includes('')) return names;
  throw new InvalidArgumentError('Names separated by single commas are expected.');
};

/**
 * Parses the name of a directory and returns its absolute path. An empty name is often a variable of
 * a script that is not set, so it does not mean the current directory.
 */
export const parseDirectory = (text: string): string => {
  if (text.trim() !== '') return resolve(text);
  throw new InvalidArgumentError(
    'The name of a directory is expected. A dot is the current directory.',
  );
};

export const parseJsonObject = (text: string): Record<string, unknown> => {
  const value = parseJson(text);
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return value as Record<string, unknown>;
  }
  throw new InvalidArgumentError(
    'A JSON object is expected, in single quotes for the shell: \'{"name":"value"}\'.',
  );
};

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** Parses a time, or a date, which means midnight UTC. */
export const parseInstantArgument = (text: string): string => {
  const whole = /^\d{4}-\d{2}-\d{2}$/.test(text) ? `${text}T00:00:00Z` : text;
  if (parseInstant(whole) !== null) return whole;
  throw new InvalidArgumentError(
    'A date or a time with zone is expected, for example 2026-10-01 or 2026-10-01T09:30:00Z.',
  );
};

export const parseWholeNumber = (text: string): number => {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('A whole number is expected, for example 20.');
};

/** Parses how many items to show. */
export const parseCount = (text: string): number => {
  const count = parseWholeNumber(text);
  if (count > 0) return count;
  throw new InvalidArgumentError('A whole number from 1 is expected.');
};

export const parseNumber = (text: string): number => {
  const value = text.trim() === '' ? NaN : Number(text);
  if (Number.isFinite(value)) return value;
  throw new InvalidArgumentError('A number is expected.');
};
