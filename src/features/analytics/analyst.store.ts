import { randomBytes } from 'node:crypto';
import { DomainError } from '../../kernel/errors';
import { Database, type Session } from '../../read-models/database';
import { Runtime } from '../../config/runtime';

const CONNECTIONS_MAX = 5;
const PASSWORD_BYTES = 24;
/** Any constant number; it keeps two requests from making one role at once. */
const ANALYST_LOCK = 7_203_115;

export interface Analyst {
  readonly name: string;
  /** Shown this once. */
  readonly password: string;
  readonly host: string;
  readonly port: number;
  readonly database: string;
}

/**
 * Database roles that may read the schema `analytics` and nothing else. Roles belong to the whole
 * server, so those made here carry a mark, their comment, and every other role is left alone.
 */
export class AnalystStore {
  constructor(
    private readonly database: Database,
    private readonly runtime: Runtime,
  ) {}

  /** Those that are still roles of the server; the embedded database has none. */
  list(): Promise<{ name: string; tenant_id: string | null }[]> {
    return this.database.query({
      text: `select role as name, tenant_id from service.analysts
        join pg_roles on rolname = role order by role`,
    });
  }

  /**
   * Creates the role, or gives one that was made here a new password. Throws `role_name_in_use` where
   * the role is somebody else's.
   */
  async create(name: string, tenantId: string | null): Promise<Analyst> {
    if (this.runtime.isSqlEmbedded) {
      throw new DomainError(
        'analysts_need_postgresql',
        'Analysts connect to a PostgreSQL of its own: start the service with DATABASE_URL.',
      );
    }
    const password = randomBytes(PASSWORD_BYTES).toString('base64url');
    await this.database.transaction(async (session) => {
      await session.query({ text: `select pg_advisory_xact_lock(${ANALYST_LOCK})` });
      const role = await find(session, name);
      if (role !== undefined && !isAnalyst(role)) throw inUse(name);
      await grant(session, { verb: role === undefined ? 'create' : 'alter', name, password });
      await confine(session, name, tenantId);
    });
    const { hostname, port, pathname } = new URL(this.runtime.databaseUrl);
    return {
      name,
      password,
      host: hostname,
      port: Number(port === '' ? 5432 : port),
      database: pathname.slice(1),
    };
  }
}

/** What tells a role that was made here from others. */
interface Role {
  readonly is_marked: boolean;
  /** It may do more than log in, or it is the one that the service itself connects with. */
  readonly is_powerful: boolean;
  /** Without a mark, and in every point what an earlier version made, which left none. */
  readonly is_former: boolean;
}

const isAnalyst = ({ is_marked, is_powerful, is_former }: Role): boolean =>
  !is_powerful && (is_marked || is_former);

/** The mark names the database: another one of the server may have analysts of its own. */
const MARK = `format('Analyst of the subscription service in the database %I', current_database())`;

const find = async (session: Session, name: string): Promise<Role | undefined> => {
  const [role] = await session.query<Role>({
    text: `select mark is not distinct from ${MARK} as is_marked,
        rolname = current_user or rolsuper or rolcreaterole or rolcreatedb or rolreplication
          or rolbypassrls as is_powerful,
        mark is null and rolcanlogin
          and coalesce(rolconfig @> settings and settings @> rolconfig, false)
          and has_schema_privilege(oid, 'analytics', 'usage')
          and not exists (select from pg_auth_members where member = oid)
          and not exists (select from pg_shdepend
            where refclassid = 'pg_authid'::regclass and refobjid = oid and deptype = 'o')
          as is_former
      from (select *, shobj_description(oid, 'pg_authid') as mark,
          array['default_transaction_read_only=on', 'search_path=analytics'] as settings
        from pg_roles where rolname = $1) as role`,
    values: [name],
  });
  return role;
};

const inUse = (name: string): DomainError =>
  new DomainError(
    'role_name_in_use',
    `The PostgreSQL server has a role "${name}" that is no analyst of this service. Take another name.`,
    { param: 'name' },
  );

interface Grant {
  readonly verb: 'create' | 'alter';
  readonly name: string;
  readonly password: string;
}

/** One who is confined to a tenant stays so: seeing more takes another role. */
const confine = async (session: Session, name: string, tenantId: string | null): Promise<void> => {
  await session.query({
    text: `insert into service.analysts as known (role, tenant_id) values ($1, $2)
      on conflict (role) do update
        set tenant_id = coalesce(excluded.tenant_id, known.tenant_id)`,
    values: [name, tenantId],
  });
};

/** Everybody may make temporary tables in a database unless its owner says otherwise. */
const forbidTemporaryTables = async (session: Session): Promise<void> => {
  const text = `do $$ begin
    execute format('grant temporary on database %I to current_user', current_database());
    execute format('revoke temporary on database %I from public', current_database());
  end $$`;
  await session.query({ text });
};

/** Names are checked (`[a-z][a-z0-9_]*`), the password is base64url: nothing needs quoting inside. */
const grant = async (session: Session, { verb, name, password }: Grant): Promise<void> => {
  for (const text of [
    `${verb} role "${name}" login password '${password}'`,
    `do $$ begin execute format('comment on role "${name}" is %L', ${MARK}); end $$`,
    `alter role "${name}" set default_transaction_read_only = on`,
    `alter role "${name}" set search_path = analytics`,
    `alter role "${name}" connection limit ${CONNECTIONS_MAX}`,
    `alter role "${name}" set statement_timeout = '60s'`,
    `alter role "${name}" set idle_in_transaction_session_timeout = '60s'`,
    `alter role "${name}" set idle_session_timeout = '30min'`,
    `alter role "${name}" set lock_timeout = '5s'`,
    // So that the service may end a session that holds a view and does nothing.
    `grant "${name}" to current_user`,
    `grant usage on schema analytics to "${name}"`,
    `grant select on all tables in schema analytics to "${name}"`,
    // The views are defined anew at each start and rebuild.
    `alter default privileges in schema analytics grant select on tables to "${name}"`,
  ]) {
    await session.query({ text });
  }
  await forbidTemporaryTables(session);
};
