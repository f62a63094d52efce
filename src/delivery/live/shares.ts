import { hash } from 'node:crypto';
import type { Database } from '../../read-models/database';

/** A process that has not been seen for this long has died. */
const STALE = "interval '5 seconds'";

/**
 * Whose share a destination is (rendezvous hashing): the same answer wherever the same members are
 * seen, and a member that comes or goes moves only its own share. Pure.
 */
export const ownerOf = (destinationId: string, members: readonly string[]): string | undefined =>
  members
    .map((member) => [hash('sha1', `${member} ${destinationId}`), member] as const)
    .sort(([a], [b]) => (a < b ? 1 : -1))[0]?.[1];

/**
 * The processes that deliver, as far as they were seen lately. Shares are a wish: that no two
 * processes deliver to one destination is up to the one place of its group.
 */
export class Shares {
  private members: readonly string[];

  constructor(
    private readonly database: Database,
    private readonly instanceId: string,
    /** Whether no other process can deliver. */
    private readonly isAlone = false,
  ) {
    this.members = [instanceId];
  }

  isOurs(destinationId: string): boolean {
    return ownerOf(destinationId, this.members) === this.instanceId;
  }

  /** Shows that this process lives and looks who else does; answers whether that has changed. */
  async beat(): Promise<boolean> {
    if (this.isAlone) return false;
    await this.database.query({
      name: 'dispatcher seen',
      text: `insert into dispatchers (instance_id, seen_at) values ($1, now())
        on conflict (instance_id) do update set seen_at = now()`,
      values: [this.instanceId],
    });
    const rows = await this.database.query<{ instance_id: string }>({
      name: 'dispatchers',
      text: `select instance_id from dispatchers where seen_at > now() - ${STALE}
        order by instance_id`,
    });
    const members = rows.map(({ instance_id }) => instance_id);
    const changed = members.join() !== this.members.join();
    this.members = members;
    return changed;
  }

  /** On an orderly stop nobody has to wait until we look dead. */
  async leave(): Promise<void> {
    if (this.isAlone) return;
    await this.database.query({
      text: `delete from dispatchers where instance_id = $1 or seen_at < now() - 10 * ${STALE}`,
      values: [this.instanceId],
    });
  }
}
