/** Attempts under way in one process, all destinations together. */
const IN_FLIGHT_MAX = 1_024;
/** What every destination may always have under way: others can slow it down, never stop it. */
const GUARANTEED = 8;

/** A destination that shares the process. */
export interface Member {
  readonly tenantId: string;
  /** Attempts it has under way. */
  readonly running: number;
  /** Told that there may be room again. */
  room(): void;
}

/**
 * Shares the process between destinations and tenants. Below the process's limit everybody takes
 * what its own limits allow. At the limit a destination keeps a guaranteed few, and places that come
 * free go round the waiting tenants, and round the waiting destinations of each.
 */
export class FairShare {
  /** When the last live attempt began (monotonic); replays stand back while there are some. */
  liveAtMs = -Infinity;
  private inFlight = 0;
  /** Waiting members by tenant; the next to be asked stands first in both. */
  private readonly waiting = new Map<string, Set<Member>>();

  constructor(private readonly inFlightMax: number = IN_FLIGHT_MAX) {}

  /** Whether the member may start another attempt; if not, it is told when it may be so. */
  hasRoom(member: Member): boolean {
    if (member.running < GUARANTEED || this.inFlight < this.inFlightMax) return true;
    const ofTenant = this.waiting.get(member.tenantId) ?? new Set<Member>();
    ofTenant.add(member);
    this.waiting.set(member.tenantId, ofTenant);
    return false;
  }

  liveEntered(nowMs: number): void {
    this.liveAtMs = nowMs;
  }

  entered(): void {
    this.inFlight += 1;
  }

  left(): void {
    this.inFlight -= 1;
    if (this.inFlight < this.inFlightMax) this.next()?.room();
  }

  /** The member whose turn it is, removed; its tenant goes to the end of the round. */
  private next(): Member | undefined {
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
