import { toNetwork } from '../../http/pipeline/client-address';
import { DomainError } from '../../kernel/errors';
import type { Database, Session } from '../../read-models/database';
import type { Prunable } from '../../services/store-maintenance/housekeeping';

/** The maximum number of tries in the window, for each account and for each address. */
const ATTEMPTS_MAX = 5;
const TRIES_WINDOW = "interval '15 minutes'";

/** An attempt to sign in with a password. */
export interface SignInAttempt {
  /** The id of the person that signs in, known or not. */
  readonly account: string;
  readonly address: string;
}

/**
 * Limits wrong passwords to five in any fifteen minutes, for each account and for each
 * address. Attempts are counted in the SQL database by its clock, so the limit is exact over all
 * processes.
 */
export class SignInAttempts implements Prunable {
  constructor(private readonly database: Database) {}

  /**
   * Counts an attempt before its password is compared, and throws `rate_limited` if there were too
   * many. A refused attempt is not counted, neither for its account nor for its address.
   */
  async countAttempt({ account, address }: SignInAttempt): Promise<{ id: string }> {
    const counted = { account, address: toNetwork(address) };
    // A refused attempt takes no lock and writes nothing, so a flood of them is cheap.
    await requireAttemptLeft(this.database, counted);
    return this.database.transaction(async (session) => {
      await lockAttempts(session, counted);
      await requireAttemptLeft(session, counted);
      return insertAttempt(session, counted);
    });
  }

  /**
   * Removes an attempt whose password was right. Earlier attempts, which were wrong, still count.
   */
  async removeAttempt(id: string): Promise<void> {
    await this.database.query({
      name: 'forget sign-in try',
      text: 'delete from sign_in_tries where id = $1',
      values: [id],
    });
  }

  async prune(): Promise<void> {
    await this.database.query({
      text: `delete from sign_in_tries where at <= clock_timestamp() - ${TRIES_WINDOW}`,
    });
  }
}

/** Locks the account and the address, always in the same order, until the transaction ends. */
const lockAttempts = async (
  session: Session,
  { account, address }: SignInAttempt,
): Promise<void> => {
  for (const key of [`account ${account}`, `address ${address}`]) {
    await session.query({
      name: 'lock sign-in tries',
      text: `select pg_advisory_xact_lock(hashtextextended('sign-in ' || $1, 0))`,
      values: [key],
    });
  }
};

/** Throws while the fifth newest attempt of the account, or of the address, is in the window. */
const requireAttemptLeft = async (session: Session, tried: SignInAttempt): Promise<void> => {
  const fifthNewest = (column: keyof SignInAttempt, value: string): string =>
    `(select at from sign_in_tries where ${column} = ${value} order by at desc
      offset ${ATTEMPTS_MAX - 1} limit 1)`;
  const [row] = await session.query<{ seconds: number | null }>({
    name: 'check sign-in tries',
    text: `select extract(epoch from greatest(${fifthNewest('account', '$1')},
        ${fifthNewest('address', '$2')}) + ${TRIES_WINDOW} - clock_timestamp())::float8 as seconds`,
    values: [tried.account, tried.address],
  });
  const seconds = Math.ceil(row?.seconds ?? 0);
  if (seconds > 0) throw createTooManyAttemptsError(seconds);
};

const insertAttempt = async (session: Session, tried: SignInAttempt): Promise<{ id: string }> => {
  const [row] = await session.query<{ id: string }>({
    name: 'count sign-in try',
    text: `insert into sign_in_tries (account, address) values ($1, $2) returning id::text as id`,
    values: [tried.account, tried.address],
  });
  if (row === undefined) throw new Error('the insert returned no row');
  return row;
};

const createTooManyAttemptsError = (seconds: number): DomainError =>
  new DomainError(
    'rate_limited',
    `Too many sign-ins with a wrong password. Try again in ${seconds} s.`,
    { details: { reason: 'failed-credentials', retry_after_seconds: seconds } },
  );
