import { randomBytes } from 'node:crypto';
import { DomainError } from '../../kernel/errors';
import { Database, type Session } from '../../read-models/database';
import { Runtime } from '../../config/runtime';

const CONNECTIONS_MAX = 5;
const PASSWORD_BYTES = 24;
/**
 * The key of the advisory lock that keeps two requests from creating one role at once. Its value is
 * arbitrary.
 */
const ANALYST_LOCK = 7_203_115;

export interface Analyst {
  readonly name: string;
  /** The service does not store the password, so only this response contains it. */
  readonly password: string;
  readonly host: string;
  readonly port: number;
  readonly database: string;
}

/**
 * Manages the database roles that may read the schema `analytics` and nothing else. Roles belong to
 * the whole server, so the service marks its own with a comment and leaves every other role alone.
 */
export class AnalystStore {
  constructor(
    private readonly database: Database,
    private readonly runtime: Runtime,
  ) {}

  /** Lists the analysts whose role still exists on the server. The embedded database has none. */
  list(): Promise<{ name: string; tenant_id: string | null }[]> {
    return this.database.query({
      text: `select role as name, tenant_id from service.analysts
        join pg_roles on rolname = role order by role`,
    });
  }

  /**
   * Creates the role, or sets a new password for an analyst that exists. Throws `role_name_in_use`
   * if the role does not belong to this service.
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
      const role = await findRole(session, name);
      if (role !== undefined && !isAnalyst(role)) throw nameInUseError(name);
      await grantRights(session, { verb: role === undefined ? 'create' : 'alter', name, password });
      await confineRole(session, name, tenantId);
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

/** The facts that distinguish an analyst of this service from other roles. */
interface Role {
  readonly is_marked: boolean;
  /** True if the role may do more than log in, or if the service itself connects with it. */
  readonly is_powerful: boolean;
  /**
   * True if the role has no mark but every other property of an analyst. Earlier versions set no
   * mark.
   */
  readonly is_former: boolean;
}

const isAnalyst = ({ is_marked, is_powerful, is_former }: Role): boolean =>
  !is_powerful && (is_marked || is_former);

/**
 * The mark names the database, because another database of the server may have its own analysts.
 */
const ROLE_MARK = `format('Analyst of the subscription service in the database %I', current_database())`;

const findRole = async (session: Session, name: string): Promise<Role | undefined> => {
  const [role] = await session.query<Role>({
    text: `select mark is not distinct from ${ROLE_MARK} as is_marked,
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

const nameInUseError = (name: string): DomainError =>
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

/**
 * Stores the tenant of an analyst. A later request may change the tenant but not remove it; an
 * analyst of all tenants needs another role.
 */
const confineRole = async (
  session: Session,
  name: string,
  tenantId: string | null,
): Promise<void> => {
  await session.query({
    text: `insert into service.analysts as known (role, tenant_id) values ($1, $2)
      on conflict (role) do update
        set tenant_id = coalesce(excluded.tenant_id, known.tenant_id)`,
    values: [name, tenantId],
  });
};

/**
 * Revokes the right to create temporary tables, which PostgreSQL grants to everybody by default.
 */
const forbidTemporaryTables = async (session: Session): Promise<void> => {
  const text = `do $$ begin
    execute format('grant temporary on database %I to current_user', current_database());
    execute format('revoke temporary on database %I from public', current_database());
  end $$`;
  await session.query({ text });
};

/** The functions that write large objects. Before PostgreSQL 16 they work in read-only transactions. */
const WRITES_LARGE_OBJECTS = [
  'lo_creat',
  'lo_create',
  'lo_from_bytea',
  'lo_put',
  'lo_truncate',
  'lo_truncate64',
  'lowrite',
];

/**
 * Revokes the right to write large objects, which PostgreSQL grants to everybody by default. Only a
 * superuser can revoke it; for another role PostgreSQL gives a warning or refuses.
 */
const forbidLargeObjects = async (session: Session): Promise<void> => {
  const names = WRITES_LARGE_OBJECTS.map((name) => `'${name}'`).join(', ');
  const text = `do $$ declare writer regprocedure; begin
    for writer in select oid from pg_proc
      where pronamespace = 'pg_catalog'::regnamespace and proname in (${names}) loop
      execute format('revoke execute on function %s from public', writer);
    end loop;
  exception when insufficient_privilege then null;
  end $$`;
  await session.query({ text });
};

/**
 * Creates or alters the role and sets its limits. Nothing needs quoting: a name matches
 * `[a-z][a-z0-9_]*` and the password is base64url.
 */
const grantRights = async (session: Session, { verb, name, password }: Grant): Promise<void> => {
  for (const text of [
    `${verb} role "${name}" login password '${password}'`,
    `do $$ begin execute format('comment on role "${name}" is %L', ${ROLE_MARK}); end $$`,
    `alter role "${name}" set default_transaction_read_only = on`,
    `alter role "${name}" set search_path = analytics`,
    `alter role "${name}" connection limit ${CONNECTIONS_MAX}`,
    `alter role "${name}" set statement_timeout = '60s'`,
    `alter role "${name}" set idle_in_transaction_session_timeout = '60s'`,
    `alter role "${name}" set idle_session_timeout = '30min'`,
    `alter role "${name}" set lock_timeout = '5s'`,
    // PostgreSQL lets the service end an analyst's session only as a member of the role. It must be
    // able to, because an idle session may keep a view locked.
    `grant "${name}" to current_user`,
    `grant usage on schema analytics to "${name}"`,
    `grant select on all tables in schema analytics to "${name}"`,
    // The service creates the views again at each start and each rebuild.
    `alter default privileges in schema analytics grant select on tables to "${name}"`,
  ]) {
    await session.query({ text });
  }
  await forbidTemporaryTables(session);
  await forbidLargeObjects(session);
};
