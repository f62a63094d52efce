import { toNetwork } from '../../http/pipeline/client-address';
import { DomainError } from '../../kernel/errors';
import type { Database, Session } from '../../read-models/database';
import type { Prunable } from '../../services/store-maintenance/housekeeping';

/** The number of tries in the window, for each account and for each address. */
const TRIES_MAX = 5;
const WINDOW = "interval '15 minutes'";

/** One try of a password. */
export interface SignInTry {
  /** The id of the person whose password is tried, known or not. */
  readonly account: string;
  readonly address: string;
}

/**
 * Limits the tries of passwords to five in any fifteen minutes, for each account and for each
 * address. The tries are counted in the SQL database by its clock, so the limit is exact over all
 * processes.
 */
export class SignInTries implements Prunable {
  constructor(private readonly database: Database) {}

  /**
   * Counts a try before its password is compared, and throws `rate_limited` if there were too many.
   * A refused try is not counted, neither for its account nor for its address.
   */
  async countTry({ account, address }: SignInTry): Promise<{ id: string }> {
    const counted = { account, address: toNetwork(address) };
    // A refused try takes no lock and writes nothing, so a flood of them is cheap.
    await requireTryLeft(this.database, counted);
    return this.database.transaction(async (session) => {
      await lockTries(session, counted);
      await requireTryLeft(session, counted);
      return insertTry(session, counted);
    });
  }

  /** Removes a try whose password was right. Earlier tries, which were wrong, still count. */
  async removeTry(id: string): Promise<void> {
    await this.database.query({
      name: 'forget sign-in try',
      text: 'delete from sign_in_tries where id = $1',
      values: [id],
    });
  }

  async prune(): Promise<void> {
    await this.database.query({
      text: `delete from sign_in_tries where at <= clock_timestamp() - ${WINDOW}`,
    });
  }
}

/** Locks the account and the address, always in the same order, until the transaction ends. */
const lockTries = async (session: Session, { account, address }: SignInTry): Promise<void> => {
  for (const key of [`account ${account}`, `address ${address}`]) {
    await session.query({
      name: 'lock sign-in tries',
      text: `select pg_advisory_xact_lock(hashtextextended('sign-in ' || $1, 0))`,
      values: [key],
    });
  }
};

/** Throws while the fifth newest try of the account, or of the address, is in the window. */
const requireTryLeft = async (session: Session, tried: SignInTry): Promise<void> => {
  const fifthNewest = (column: keyof SignInTry, value: string): string =>
    `(select at from sign_in_tries where ${column} = ${value} order by at desc
      offset ${TRIES_MAX - 1} limit 1)`;
  const [row] = await session.query<{ seconds: number | null }>({
    name: 'check sign-in tries',
    text: `select extract(epoch from greatest(${fifthNewest('account', '$1')},
        ${fifthNewest('address', '$2')}) + ${WINDOW} - clock_timestamp())::float8 as seconds`,
    values: [tried.account, tried.address],
  });
  const seconds = Math.ceil(row?.seconds ?? 0);
  if (seconds > 0) throw createTooManyTriesError(seconds);
};

const insertTry = async (session: Session, tried: SignInTry): Promise<{ id: string }> => {
  const [row] = await session.query<{ id: string }>({
    name: 'count sign-in try',
    text: `insert into sign_in_tries (account, address) values ($1, $2) returning id::text as id`,
    values: [tried.account, tried.address],
  });
  if (row === undefined) throw new Error('the insert returned no row');
  return row;
};

const createTooManyTriesError = (seconds: number): DomainError =>
  new DomainError(
    'rate_limited',
    `Too many sign-ins with a wrong password. Try again in ${seconds} s.`,
    { details: { reason: 'failed-credentials', retry_after_seconds: seconds } },
  );
