import { SignInAttempts } from '../../src/features/console/sign-in-attempts';
import type { DomainError } from '../../src/kernel/errors';
import type { Database } from '../../src/read-models/database';
import { migrate } from '../../src/read-models/migrate';
import { databases } from '../support/databases';
import { openSql } from '../support/sql';

const WINDOW_SECONDS = 900;

describe.each(databases)('password attempts, on $name SQL', (which) => {
  let sql: Database;
  let close: () => Promise<void>;
  let attempts: SignInAttempts;

  beforeAll(async () => {
    ({ sql, close } = await openSql(which));
    await migrate(sql);
    attempts = new SignInAttempts(sql);
  });

  beforeEach(() => sql.query({ text: 'delete from sign_in_tries' }));

  afterAll(() => close());

  /** Tries a wrong password: 0 if it may be compared, else the seconds until the next attempt. */
  const tryWrong = async (account: string, address: string): Promise<number> => {
    try {
      await attempts.countAttempt({ account, address });
      return 0;
    } catch (error) {
      const { code, facts } = error as DomainError;
      expect(code).toBe('rate_limited');
      return Number(facts.details?.['retry_after_seconds']);
    }
  };

  const tryRight = async (account: string, address: string): Promise<void> =>
    attempts.removeAttempt((await attempts.countAttempt({ account, address })).id);

  /** Moves all attempts into the past, as if this time had gone by. */
  const letPass = (seconds: number) =>
    sql.query({
      text: 'update sign_in_tries set at = at - make_interval(secs => $1)',
      values: [seconds],
    });

  const countRows = async (): Promise<number> =>
    (await sql.query({ text: 'select 1 from sign_in_tries' })).length;

  it('are limited to five in any fifteen minutes for an account, whatever the address', async () => {
    for (let i = 0; i < 5; i += 1) {
      expect(await tryWrong('mem_a', `192.0.2.${i}`)).toBe(0);
      await letPass(170);
    }
    // The oldest attempt was 850 s ago, so it leaves the window in 50 s.
    const waitSeconds = await tryWrong('mem_a', '192.0.2.9');
    expect(waitSeconds).toBeGreaterThan(45);
    expect(waitSeconds).toBeLessThanOrEqual(50);
    await letPass(waitSeconds);
    expect(await tryWrong('mem_a', '192.0.2.9')).toBe(0);
    expect(await tryWrong('mem_a', '192.0.2.9')).toBeGreaterThan(0);
  });

  it('are limited to five for an address, whatever the account; an IPv6 network counts as one', async () => {
    for (let i = 0; i < 5; i += 1) {
      expect(await tryWrong(`mem_${i}`, `2001:db8:1:2::${i}`)).toBe(0);
    }
    expect(await tryWrong('mem_9', '2001:db8:1:2::9')).toBe(WINDOW_SECONDS);
    expect(await tryWrong('mem_9', '2001:db8:1:3::9')).toBe(0);
  });

  it('are not counted if they are refused, so a blocked address locks nobody out', async () => {
    for (let i = 0; i < 5; i += 1) await tryWrong('mem_attacked', '192.0.2.1');
    await letPass(1);
    for (let i = 0; i < 5; i += 1) await tryWrong('mem_owner', '192.0.2.1');
    expect(await countRows()).toBe(5);
    expect(await tryWrong('mem_owner', '192.0.2.2')).toBe(0);
  });

  it('are not counted if the password is right, and the earlier wrong ones still count', async () => {
    for (let i = 0; i < 4; i += 1) await tryWrong('mem_guessed', '192.0.2.1');
    for (let i = 0; i < 9; i += 1) await tryRight('mem_mine', '192.0.2.1');
    expect(await tryWrong('mem_guessed', '192.0.2.1')).toBe(0);
    expect(await tryWrong('mem_guessed', '192.0.2.1')).toBeGreaterThan(0);
    expect(await tryWrong('mem_mine', '192.0.2.1')).toBeGreaterThan(0);
  });

  it('are counted exactly over all processes, even if many are concurrent', async () => {
    const many = Array.from({ length: 20 }, () => new SignInAttempts(sql));
    const tried = await Promise.allSettled(
      many.map((each) => each.countAttempt({ account: 'mem_a', address: '192.0.2.1' })),
    );
    const begun = tried.flatMap((each) => (each.status === 'fulfilled' ? [each.value.id] : []));
    expect(begun).toHaveLength(5);
    await many[0]!.removeAttempt(begun[0]!);
    await expect(
      many[1]!.countAttempt({ account: 'mem_a', address: '192.0.2.1' }),
    ).resolves.toBeDefined();
  });

  it('are deleted as soon as they are out of the window', async () => {
    await tryWrong('mem_old', '192.0.2.1');
    await letPass(WINDOW_SECONDS);
    await tryWrong('mem_new', '192.0.2.1');
    await attempts.prune();
    expect(await countRows()).toBe(1);
  });
});
