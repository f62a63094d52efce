import { setTimeout as delay } from 'node:timers/promises';
import { warnOfFailure } from '../../event-store/failures';
import { fromMillis, type Instant, MINUTE_MS } from '../../kernel/time';
import type { Session } from '../../read-models/database';

const WRITE_EVERY_MS = 1_000;

/**
 * When keys were used last (D-90). A use is noted in memory and written behind the requests, at most
 * once a minute for a key: nobody waits for it, and a crash loses a second of it.
 */
export class ApiKeyUses {
  /** Milliseconds of the last use of each key that was noted. */
  private readonly noted = new Map<string, number>();
  private waiting = new Map<string, number>();

  constructor(private readonly database: Session) {}

  note(keyId: string, atMs: number): void {
    if (atMs - (this.noted.get(keyId) ?? -Infinity) < MINUTE_MS) return;
    this.noted.set(keyId, atMs);
    this.waiting.set(keyId, atMs);
  }

  /** Writes what was noted until the signal aborts, and once more then. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await delay(WRITE_EVERY_MS, undefined, { signal }).catch(() => undefined);
      await this.write().catch((error: unknown) => {
        warnOfFailure('could not write when API keys were used', 'api-key-uses', error);
      });
    }
  }

  /** In one statement; another process may have written the same key within the minute. */
  async write(): Promise<void> {
    if (this.waiting.size === 0) return;
    const uses = this.waiting;
    this.waiting = new Map();
    try {
      await this.database.query({
        name: 'write api key uses',
        text: `insert into api_key_uses as u (key_id, last_used_at)
          select * from unnest($1::text[], $2::timestamptz[])
          on conflict (key_id) do update set last_used_at = excluded.last_used_at
            where u.last_used_at <= excluded.last_used_at - interval '1 minute'`,
        values: [[...uses.keys()], [...uses.values()].map(fromMillis)],
      });
    } catch (error) {
      this.waiting = new Map([...uses, ...this.waiting]);
      throw error;
    }
  }

  /** The last uses of those keys that were ever used. */
  async of(keyIds: readonly string[]): Promise<ReadonlyMap<string, Instant>> {
    const rows = await this.database.query<{ key_id: string; last_used_at: Instant }>({
      name: 'read api key uses',
      text: 'select key_id, last_used_at from api_key_uses where key_id = any($1::text[])',
      values: [keyIds],
    });
    return new Map(rows.map(({ key_id, last_used_at }) => [key_id, last_used_at]));
  }
}
