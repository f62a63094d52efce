import type { MemberDirectory } from '../../directories/member.directory';
import type { OperatorTokenDirectory } from '../../directories/operator-token.directory';
import type { TenantDirectory } from '../../directories/tenant.directory';
import { listScopes } from '../../http/pipeline/roles';
import { type OpenSession, type SessionMembership, Sessions } from '../../http/pipeline/sessions';
import type { Clock } from '../../kernel/time';
import type { SessionItem } from './member.dto';
import type { MemberAccounts } from './member-accounts';
import type { SessionView } from './session.dto';
import type { Grant, SessionRow, SessionStore } from './session.store';

interface SessionsParts {
  readonly store: SessionStore;
  readonly members: MemberDirectory;
  readonly tenants: TenantDirectory;
  readonly accounts: MemberAccounts;
  readonly operatorTokens: OperatorTokenDirectory;
  readonly clock: Clock;
}

/**
 * Finds sessions and gives them the current rights of the person. Memberships are folded live from
 * the log, and a change that removes a right ends the session in every process.
 */
export class ConsoleSessions extends Sessions {
  constructor(private readonly parts: SessionsParts) {
    super();
  }

  async find(token: string): Promise<OpenSession | null> {
    const row = await this.parts.store.find(token);
    if (row === null) return null;
    if (this.isOpen(row)) return this.toOpenSession(row);
    await this.parts.store.end(row.id);
    return null;
  }

  /** False if the rights have changed since the sign-in. */
  isOpen({ person_id, generation, granted }: SessionRow): boolean {
    if (person_id === null) return this.isGranted(granted);
    const person = this.parts.members.find(person_id);
    return person !== null && person.generation <= generation;
  }

  /**
   * False if the rights of a link have ended before the link. Everything that was opened with an
   * operator token ends when the token is revoked, so that its holder keeps no way in. When it
   * expires, the sessions of operators end; the dashboard of a tenant stays open for its own time.
   */
  isGranted(granted: Grant | null): boolean {
    if (granted?.operator_token === undefined) return true;
    const token = this.parts.operatorTokens.find(granted.operator_token);
    if (token?.revokedAt !== null) return false;
    const hasExpired = token.expiresAt !== null && token.expiresAt <= this.parts.clock.now();
    return !(hasExpired && 'operator' in granted);
  }

  toOpenSession({ id, person_id, granted, expires_at }: SessionRow): OpenSession {
    const person = person_id === null ? null : this.parts.members.find(person_id);
    const own = [...(person?.memberships ?? [])].map(([tenantId, { role, environments }]) => ({
      tenant_id: tenantId,
      role,
      environments,
    }));
    const grants = granted !== null && 'tenant_id' in granted ? [granted] : [];
    return {
      id,
      personId: person_id,
      memberships: [...own, ...grants].flatMap((grant) => this.listMemberships(grant)),
      operator:
        person?.operator ?? (granted !== null && 'operator' in granted ? granted.operator : null),
      operatorToken: granted?.operator_token ?? null,
      expiresAt: expires_at,
    };
  }

  /** Returns a session as the console shows it, with the dashboard session of the same browser. */
  async view(session: OpenSession, portal: OpenSession | null = null): Promise<SessionView> {
    const shown = portal?.memberships ?? [];
    const isShown = (id: string): boolean => shown.some(({ tenant }) => tenant.id === id);
    const memberships = [
      ...shown,
      ...session.memberships.filter(({ tenant }) => !isShown(tenant.id)),
    ];
    const person = session.personId === null ? null : this.parts.members.find(session.personId);
    return {
      session_id: session.id,
      person: person === null ? UNNAMED_PERSON : await this.parts.accounts.read(person),
      expires_at: session.expiresAt,
      memberships: memberships.map(({ tenant, role, environments, suspendedAt, returnUrl }) => ({
        tenant,
        role,
        scopes: {
          live: environments.includes('live') ? listScopes(role, 'live') : [],
          test: environments.includes('test') ? listScopes(role, 'test') : [],
        },
        suspended_at: suspendedAt,
        return_url: returnUrl ?? null,
      })),
      operator: session.operator === null ? null : { role: session.operator },
    };
  }

  /** Returns a session as the list of a tenant, or the list of operators, shows it. */
  async viewItem(
    row: SessionRow,
    currentId: string | null,
    tenantId: string | null = null,
  ): Promise<SessionItem> {
    const person = row.person_id === null ? null : this.parts.members.find(row.person_id);
    const { memberships, operator } = this.toOpenSession(row);
    return {
      id: row.id,
      person: person === null ? UNNAMED_PERSON : await this.parts.accounts.read(person),
      current: row.id === currentId,
      role: memberships.find(({ tenant }) => tenant.id === tenantId)?.role ?? null,
      operator,
      created_at: row.created_at,
      last_seen_at: row.seen_at,
      expires_at: row.expires_at,
      address: row.address,
      user_agent: row.user_agent,
    };
  }

  private listMemberships({
    tenant_id,
    role,
    environments,
    return_url: returnUrl,
  }: Extract<Grant, { tenant_id: string }>): SessionMembership[] {
    const tenant = this.parts.tenants.find(tenant_id);
    if (tenant?.deletedAt !== null) return [];
    const { suspendedAt } = tenant;
    const named = { id: tenant.id, name: tenant.name };
    const back = returnUrl === undefined ? {} : { returnUrl };
    return [{ tenant: named, suspendedAt, role, environments, ...back }];
  }
}

/** The person of a session that was opened by a one-time link. */
const UNNAMED_PERSON = { id: null, email: null, name: null };
