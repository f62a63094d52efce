import { randomUUID } from 'node:crypto';
import { warnOfFailure } from './failures';
import type { Origin } from '../kernel/scope';
import type { Clock } from '../kernel/time';
import { append, keepFor } from './append';
import type { EventStoreConnection } from './connection';
import { streams } from './streams';

/** How long the audit log lists what was done: thirteen months, and a little. */
export const AUDIT_KEPT_DAYS = 400;
const DAY_SECONDS = 86_400;
/** Where an action is about no single tenant. */
const EVERYWHERE = 'operator';

/** A storage format: add, never rename. */
export const AUDIT_RECORDED = 'audit.recorded';

/** Something that was done. Ids and names of the product's own only: never a personal value. */
export interface AuditRecord {
  /** `<noun>.<what happened>`, as event types are. */
  readonly action: string;
  readonly object: { readonly type: string; readonly id: string };
  readonly origin: Origin;
}

/**
 * Keeps what has to be accounted for but appends nothing else: views of personal data, exports,
 * previews, sign-ins. Everything that does append is in the audit log by its own metadata.
 */
export class AuditTrail {
  private readonly bounded = new Set<string>();

  constructor(
    private readonly connection: EventStoreConnection,
    private readonly clock: Clock,
  ) {}

  /** Resolves when it is stored. */
  async record({ action, object, origin }: AuditRecord): Promise<void> {
    const uuid = randomUUID();
    const { name: stream } = streams.audit(origin.within ?? EVERYWHERE);
    const event = {
      uuid,
      type: AUDIT_RECORDED,
      data: { action, object },
      metadata: { schema: 'v1', at: this.clock.now(), command: uuid.replaceAll('-', ''), origin },
    };
    await append(this.connection, { stream, expected: 'any', events: [event] });
    this.bound(stream);
  }

  /** Once in each process: an audit stream grows no older than the list. */
  private bound(stream: string): void {
    if (this.bounded.has(stream)) return;
    this.bounded.add(stream);
    keepFor(this.connection, stream, AUDIT_KEPT_DAYS * DAY_SECONDS).catch((error: unknown) => {
      this.bounded.delete(stream);
      warnOfFailure('an audit stream is not bounded', stream, error);
    });
  }
}
