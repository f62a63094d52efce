/** The maximum of attempts in flight in one process, for all destinations together. */
const IN_FLIGHT_MAX = 1_024;
/**
 * Attempts that every destination may always have in flight. Others can slow a destination down but
 * never stop it.
 */
const GUARANTEED_PER_DESTINATION = 8;

/** A destination that shares the in-flight limit of the process. */
export interface Member {
  readonly tenantId: string;
  /** Number of its attempts in flight. */
  readonly running: number;
  /** Called when another attempt may be admitted. */
  onRoom(): void;
}

/**
 * Shares the in-flight limit of the process between destinations and tenants. Below the limit every
 * destination uses what its own limits allow. At the limit a destination keeps a few guaranteed
 * attempts. Places that become free go in turn to the waiting tenants, and in turn to the waiting
 * destinations of each tenant.
 */
export class FairShare {
  /**
   * Start of the last live attempt on the monotonic clock. Replays yield while there are live
   * attempts.
   */
  lastLiveStartMs = -Infinity;
  private inFlight = 0;
  /** Waiting members by tenant. The first of each is the next in turn. */
  private readonly waiting = new Map<string, Set<Member>>();

  constructor(private readonly inFlightMax: number = IN_FLIGHT_MAX) {}

  /** True if the member may start another attempt. If not, its `onRoom` is called when it may. */
  hasRoom(member: Member): boolean {
    if (member.running < GUARANTEED_PER_DESTINATION || this.inFlight < this.inFlightMax)
      return true;
    const waitingOfTenant = this.waiting.get(member.tenantId) ?? new Set<Member>();
    waitingOfTenant.add(member);
    this.waiting.set(member.tenantId, waitingOfTenant);
    return false;
  }

  recordLiveStart(nowMs: number): void {
    this.lastLiveStartMs = nowMs;
  }

  recordStart(): void {
    this.inFlight += 1;
  }

  recordEnd(): void {
    this.inFlight -= 1;
    if (this.inFlight < this.inFlightMax) this.takeNextWaiting()?.onRoom();
  }

  /** Removes and returns the member whose turn it is. Its tenant moves to the end of the round. */
  private takeNextWaiting(): Member | undefined {
    const [turn] = this.waiting;
    if (turn === undefined) return undefined;
    const [tenantId, members] = turn;
    const [member] = members;
    this.waiting.delete(tenantId);
    if (member !== undefined) members.delete(member);
    if (members.size > 0) this.waiting.set(tenantId, members);
    return member;
  }
}
