import { warnOfFailure } from '../../event-store/failures';
import { fromMillis, type Instant, MINUTE_MS } from '../../kernel/time';
import { pollUntilStopped } from '../../ops/polling';
import type { Session } from '../../read-models/database';

const WRITE_INTERVAL_MS = 1_000;

/**
 * Records when keys were last used (D-90). A use is noted in memory and written in the background,
 * at most once a minute per key. No request waits for the write; a crash loses the uses of about
 * one second.
 */
export class ApiKeyUses {
  /** The last noted use of each key, in Unix milliseconds. */
  private readonly noted = new Map<string, number>();
  private waiting = new Map<string, number>();

  constructor(private readonly database: Session) {}

  note(keyId: string, atMs: number): void {
    if (atMs - (this.noted.get(keyId) ?? -Infinity) < MINUTE_MS) return;
    this.noted.set(keyId, atMs);
    this.waiting.set(keyId, atMs);
  }

  /** Writes the noted uses every second until the signal aborts, and once more after that. */
  async run(signal: AbortSignal): Promise<void> {
    const onFailure = (error: unknown): void => {
      warnOfFailure('could not write when API keys were used', 'api-key-uses', error);
    };
    const options = { everyMs: WRITE_INTERVAL_MS, firstAfterMs: WRITE_INTERVAL_MS, onFailure };
    await pollUntilStopped(signal, () => this.write(), options);
    await this.write().catch(onFailure);
  }

  /**
   * Writes all noted uses in one statement. It skips a key that another process has written within
   * the minute.
   */
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

  /** Returns the last use of each key. Keys that were never used are missing. */
  async readLastUses(keyIds: readonly string[]): Promise<ReadonlyMap<string, Instant>> {
    const rows = await this.database.query<{ key_id: string; last_used_at: Instant }>({
      name: 'read api key uses',
      text: 'select key_id, last_used_at from api_key_uses where key_id = any($1::text[])',
      values: [keyIds],
    });
    return new Map(rows.map(({ key_id, last_used_at }) => [key_id, last_used_at]));
  }
}
