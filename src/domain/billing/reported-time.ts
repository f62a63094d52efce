import { DomainError } from '../../kernel/errors';
import { DAY_MS, type Instant, plusMs } from '../../kernel/time';

/** Providers may act a little before the service asks them, and their clocks may differ. */
const EARLIER_MAX_MS = DAY_MS;

/**
 * Refuses a reported time that cannot be right: one in the future, or one more than a day before the
 * object existed. A wrong year would otherwise change the metrics of a month that is over.
 */
export const requirePossibleTime = (
  occurredAt: Instant | null,
  { createdAt, now }: { readonly createdAt: Instant; readonly now: Instant },
): void => {
  if (occurredAt === null) return;
  if (occurredAt > now) throw createTimeError('must not be in the future');
  if (occurredAt < plusMs(createdAt, -EARLIER_MAX_MS))
    throw createTimeError(`must not be more than a day before created_at (${createdAt})`);
};

const createTimeError = (reason: string): DomainError =>
  new DomainError('parameter_invalid', `occurred_at ${reason}.`, { param: 'occurred_at' });
