import { randomUUID } from 'node:crypto';
import { warnOfFailure } from './failures';
import type { Origin } from '../kernel/scope';
import type { Clock } from '../kernel/time';
import { append, setMaxAge } from './append';
import type { EventStoreConnection } from './connection';
import { streams } from './streams';

/** Retention of the audit log: thirteen months and a few days. */
export const AUDIT_RETENTION_DAYS = 400;
const DAY_SECONDS = 86_400;
/** Stream of actions that belong to no single tenant. */
const NO_TENANT = 'operator';

/** The event type is a storage format and must not be renamed. */
export const AUDIT_RECORDED = 'audit.recorded';

/** An action. It contains only ids and names of the product, never personal values. */
export interface AuditRecord {
  /** The action as `<noun>.<what happened>`, like an event type. */
  readonly action: string;
  readonly object: { readonly type: string; readonly id: string };
  readonly origin: Origin;
}

/**
 * Records actions that append no other event: views of personal data, exports, previews, sign-ins.
 * All other actions are in the audit log by the metadata of their own events.
 */
export class AuditTrail {
  private readonly withRetention = new Set<string>();

  constructor(
    private readonly connection: EventStoreConnection,
    private readonly clock: Clock,
  ) {}

  /** Records an action. Resolves when it is stored. */
  async record({ action, object, origin }: AuditRecord): Promise<void> {
    const uuid = randomUUID();
    const { name: stream } = streams.audit(origin.within ?? NO_TENANT);
    const event = {
      uuid,
      type: AUDIT_RECORDED,
      data: { action, object },
      metadata: { schema: 'v1', at: this.clock.now(), command: uuid.replaceAll('-', ''), origin },
    };
    await append(this.connection, { stream, expected: 'any', events: [event] });
    this.setRetention(stream);
  }

  /** Sets the retention of an audit stream, once in each process. */
  private setRetention(stream: string): void {
    if (this.withRetention.has(stream)) return;
    this.withRetention.add(stream);
    setMaxAge(this.connection, stream, AUDIT_RETENTION_DAYS * DAY_SECONDS).catch(
      (error: unknown) => {
        this.withRetention.delete(stream);
        warnOfFailure(
          'the retention of an audit stream cannot be set: it is tried again at the next action',
          stream,
          error,
        );
      },
    );
  }
}
