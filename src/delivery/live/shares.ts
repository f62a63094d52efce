import { hash } from 'node:crypto';
import type { Database } from '../../read-models/database';
import type { Gates } from '../schedule/gates';

/** A process without a heartbeat for this long is treated as dead. */
const HEARTBEAT_TIMEOUT = "interval '5 seconds'";

/**
 * Returns the process to which a destination is assigned, by rendezvous hashing. The same members
 * give the same result in every process. A member that joins or leaves changes only its own
 * assignments. Pure.
 */
export const findOwner = (destinationId: string, members: readonly string[]): string | undefined =>
  members
    .map((member) => [hash('sha1', `${member} ${destinationId}`), member] as const)
    .sort(([a], [b]) => (a < b ? 1 : -1))[0]?.[1];

/**
 * The assignment of destinations to the processes that deliver. An assignment is only a preference:
 * the group, which admits one subscription, ensures that two processes never deliver to one
 * destination.
 */
export class DestinationShares {
  private members: readonly string[];

  constructor(
    private readonly database: Database,
    private readonly gates: Gates,
    private readonly instanceId: string,
    /** True if no other process can deliver, as with the embedded stores. */
    private readonly isAlone = false,
  ) {
    this.members = [instanceId];
  }

  isAssignedHere(destinationId: string): boolean {
    return findOwner(destinationId, this.members) === this.instanceId;
  }

  /**
   * Counts the attempts in flight of each destination that has any, over all processes that
   * deliver. The numbers of other processes are as old as their heartbeats.
   */
  async countInFlight(): Promise<ReadonlyMap<string, number>> {
    if (this.isAlone) return this.gates.countInFlight();
    const rows = await this.database.query<{ id: string; count: number }>({
      name: 'attempts in flight',
      text: `select key as id, sum(value::int)::int as count
        from dispatchers, jsonb_each_text(in_flight)
        where seen_at > now() - ${HEARTBEAT_TIMEOUT} group by key`,
    });
    return new Map(rows.map(({ id, count }) => [id, count]));
  }

  /**
   * Stores a heartbeat with the attempts in flight, and reads the members. Returns true if the
   * members have changed.
   */
  async sendHeartbeat(): Promise<boolean> {
    if (this.isAlone) return false;
    await this.database.query({
      name: 'dispatcher seen',
      text: `insert into dispatchers (instance_id, seen_at, in_flight) values ($1, now(), $2)
        on conflict (instance_id) do update set seen_at = now(), in_flight = excluded.in_flight`,
      values: [this.instanceId, JSON.stringify(Object.fromEntries(this.gates.countInFlight()))],
    });
    const rows = await this.database.query<{ instance_id: string }>({
      name: 'dispatchers',
      text: `select instance_id from dispatchers where seen_at > now() - ${HEARTBEAT_TIMEOUT}
        order by instance_id`,
    });
    const members = rows.map(({ instance_id }) => instance_id);
    const changed = members.join() !== this.members.join();
    this.members = members;
    return changed;
  }

  /**
   * Removes this process on an orderly stop, so that the others need not wait for the heartbeat to
   * time out.
   */
  async leave(): Promise<void> {
    if (this.isAlone) return;
    await this.database.query({
      text: `delete from dispatchers where instance_id = $1 or seen_at < now() - 10 * ${HEARTBEAT_TIMEOUT}`,
      values: [this.instanceId],
    });
  }
}
