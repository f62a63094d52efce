import { randomBytes } from 'node:crypto';
import { DomainError } from '../../kernel/errors';
import { Database, type Session } from '../../read-models/database';
import { Runtime } from '../../runtime';

const PASSWORD_BYTES = 24;

export interface Analyst {
  readonly name: string;
  /** Shown this once. */
  readonly password: string;
  readonly host: string;
  readonly port: number;
  readonly database: string;
}

/** Database roles that may read the schema `analytics` and nothing else. */
export class AnalystStore {
  constructor(
    private readonly database: Database,
    private readonly runtime: Runtime,
  ) {}

  /** Creates the role, or gives an existing one a new password. */
  async create(name: string): Promise<Analyst> {
    if (this.runtime.instanceId === 'embedded') {
      throw new DomainError(
        'analysts_need_postgresql',
        'Analysts connect to a PostgreSQL of its own: start the service with DATABASE_URL.',
      );
    }
    const password = randomBytes(PASSWORD_BYTES).toString('base64url');
    await this.database.transaction((session) => grant(session, name, password));
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

/** Names are checked (`[a-z][a-z0-9_]*`), the password is base64url: nothing needs quoting inside. */
const grant = async (session: Session, name: string, password: string): Promise<void> => {
  const known = await session.query({
    text: 'select 1 from pg_roles where rolname = $1',
    values: [name],
  });
  const verb = known.length === 0 ? 'create' : 'alter';
  for (const text of [
    `${verb} role "${name}" login password '${password}'`,
    `alter role "${name}" set default_transaction_read_only = on`,
    `alter role "${name}" set search_path = analytics`,
    `grant usage on schema analytics to "${name}"`,
    `grant select on all tables in schema analytics to "${name}"`,
    // The views are defined anew at each start and rebuild.
    `alter default privileges in schema analytics grant select on tables to "${name}"`,
  ]) {
    await session.query({ text });
  }
};
