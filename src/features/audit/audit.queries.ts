import {
  type Condition,
  createPeriodConditions,
  equalTo,
  type ListSource,
  mapPage,
  readPage,
} from '../../http/lists/keyset';
import type { Page } from '../../http/lists/pagination';
import { type Scope, scopeName } from '../../kernel/scope';
import type { Instant } from '../../kernel/time';
import type { Prunable } from '../../services/store-maintenance/housekeeping';
import type { Database } from '../../read-models/database';
import { deleteOutdated } from '../../read-models/prune';
import { AUDIT_RETENTION_DAYS } from '../../event-store/audit-trail';
import type { DestinationDirectory } from '../../directories/destination.directory';
import type { MemberNames } from './member-names';
import type { AuditItem, ListAuditLogQuery, ListOperatorAuditLogQuery } from './audit.dto';

interface AuditRow {
  readonly id: string;
  readonly created_at: Instant;
  readonly actor_type: AuditItem['actor']['type'];
  readonly actor_id: string;
  readonly actor_name: string;
  readonly action: string;
  readonly object_type: string;
  readonly object_id: string;
  readonly request_id: string | null;
  readonly address: string | null;
}

const COLUMNS = `id, created_at, actor_type, actor_id, actor_name, action, object_type, object_id,
  request_id, address`;

/** Excludes the actions on destinations of the other environment. */
const IS_VISIBLE = "(object_type <> 'destination' or object_id = any(?))";

/** Reads the audit log, newest items first, and deletes outdated items. */
export class AuditLog implements Prunable {
  constructor(
    private readonly database: Database,
    private readonly memberNames: MemberNames,
    private readonly destinations: DestinationDirectory,
  ) {}

  /**
   * Lists the actions in one environment of a tenant. An operator's action on a destination has an
   * item in both environments, because its event names the tenant only. The list leaves out the
   * items whose destination belongs to the other environment.
   */
  listInScope(scope: Scope, query: ListAuditLogQuery): Promise<Page<AuditItem>> {
    const own = this.destinations.listIdsInScope(scope);
    return this.list({ scope: scopeName(scope), limits: [[IS_VISIBLE, own]] }, query, []);
  }

  /** Lists the actions of all tenants, including those of the operator. */
  listAll(query: ListOperatorAuditLogQuery): Promise<Page<AuditItem>> {
    return this.list({ scope: null }, query, [
      ['tenant_id = ?', query.tenant_id],
      ['is_copy = ?', false],
    ]);
  }

  /** Deletes the items that are older than the retention time of the audit log. */
  async prune(signal: AbortSignal): Promise<void> {
    const before = `now() - interval '${AUDIT_RETENTION_DAYS} days'`;
    await deleteOutdated(this.database, { table: 'audit_log', age: 'created_at', before }, signal);
  }

  private async list(
    of: Pick<ListSource, 'scope' | 'limits'>,
    query: ListAuditLogQuery,
    more: readonly Condition[],
  ): Promise<Page<AuditItem>> {
    const conditions: Condition[] = [
      ['actor_id = ?', query.actor],
      ...equalTo(query, 'action'),
      ['object_id = ?', query.object],
      ...createPeriodConditions(query),
      ...more,
    ];
    const source = { from: 'audit_log', columns: COLUMNS, ...of, conditions };
    const page = await readPage<AuditRow>(this.database, source, query);
    const names = await this.memberNames.read(page.data.flatMap(listMembers));
    return mapPage(page, (row) => viewItem(row, names));
  }
}

/** Returns the ids of the members that an item names: its actor and its object. */
const listMembers = (row: AuditRow): string[] => [
  ...(row.actor_type === 'member' ? [row.actor_id] : []),
  ...(row.object_type === 'member' ? [row.object_id] : []),
];

const viewItem = (row: AuditRow, names: ReadonlyMap<string, string>): AuditItem => ({
  id: row.id,
  at: row.created_at,
  actor: {
    type: row.actor_type,
    id: row.actor_id,
    name: names.get(row.actor_id) ?? row.actor_name,
  },
  action: row.action,
  object: {
    type: row.object_type,
    id: row.object_id,
    name: row.object_type === 'member' ? (names.get(row.object_id) ?? null) : null,
  },
  request_id: row.request_id,
  address: row.address,
});
