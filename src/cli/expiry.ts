import { Option } from 'commander';
import { parseInstantArgument } from './arguments';

/** The value of the option `--expires-at`. */
export interface ExpiryOption {
  readonly expiresAt?: string;
}

export const createExpiryOption = (
  text = 'when it expires: 2027-01-31, 2027-01-31T09:30:00Z',
): Option => new Option('--expires-at <time>', text).argParser(parseInstantArgument);

/** Returns the part of a request body that names the end; empty if the option is not given. */
export const createExpiry = ({ expiresAt }: ExpiryOption): { expires_at?: string } =>
  expiresAt === undefined ? {} : { expires_at: expiresAt };
