import { DomainError } from './errors';

interface WrongState {
  readonly status: string;
  /** The statuses in which the same request is accepted. Null means none has been recorded yet. */
  readonly allowed: readonly (string | null)[];
  /** The end of the message, which begins with a space. */
  readonly hint?: string;
  readonly param?: string;
  readonly details?: Readonly<Record<string, unknown>>;
}

/**
 * The refusal of an action in the present status of an object. The message and the details name the
 * statuses in which it is possible.
 */
export const wrongStateError = (
  noun: string,
  { status, allowed, hint = '', param, details }: WrongState,
): DomainError =>
  new DomainError(
    'invalid_state_transition',
    `The ${noun} is ${status}${describeAllowed(allowed)}.${hint}`,
    {
      ...(param === undefined ? {} : { param }),
      details: { current_status: status, allowed, ...details },
    },
  );

const CHOICES = new Intl.ListFormat('en-GB', { type: 'disjunction' });

const describeAllowed = (allowed: WrongState['allowed']): string => {
  const named = allowed.filter((status) => status !== null);
  return named.length === 0 ? '' : `; this is possible while it is ${CHOICES.format(named)}`;
};
