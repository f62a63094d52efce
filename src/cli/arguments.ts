import { InvalidArgumentError } from 'commander';

/**
 * Parsers of arguments and options. What they refuse becomes a usage error that names the argument.
 */

export const jsonObject = (text: string): Record<string, unknown> => {
  const value = parsed(text);
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return value as Record<string, unknown>;
  }
  throw new InvalidArgumentError(
    'A JSON object is expected, in single quotes for the shell: \'{"name":"value"}\'.',
  );
};

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

export const number = (text: string): number => {
  const value = text.trim() === '' ? NaN : Number(text);
  if (Number.isFinite(value)) return value;
  throw new InvalidArgumentError('A number is expected.');
};
