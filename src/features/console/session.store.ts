import { randomBytes } from 'node:crypto';
import type { MemberRole, OperatorRole } from '../../domain/members/member.roles';
import { DomainError } from '../../kernel/errors';
import type { Environment } from '../../kernel/scope';
import type { Instant } from '../../kernel/time';
import type { Prunable } from '../../services/store-maintenance/housekeeping';
import type { Database } from '../../read-models/database';
import { type CreatedToken, createToken, computeSha256 } from './tokens';

/** A session ends after this time without a request. */
const IDLE_TIME = "interval '12 hours'";
/** The longest duration of a session in seconds, used or not. */
export const SESSION_SECONDS_MAX = 7 * 24 * 3_600;
/** The use of a session is recorded at most this often. */
const LAST_SEEN_INTERVAL = "interval '1 minute'";
/** The lifetime of a one-time link, in seconds. */
const LINK_SECONDS = 600;
const USER_AGENT_CHARS_MAX = 200;

/**
 * The rights that a one-time link grants: a role in one tenant, or an operator role over all
 * tenants.
 */
export type Grant = (
  | {
      readonly tenant_id: string;
      readonly role: MemberRole;
      readonly environments: readonly Environment[];
      /** The page of the platform that placed the link, to which the dashboard leads back. */
      readonly return_url?: string;
    }
  | { readonly operator: OperatorRole }
) & {
  /**
   * The named operator token with which the link was made, or the link of the session that made it.
   */
  readonly operator_token?: string;
};

export interface SessionRow {
  readonly id: string;
  readonly person_id: string | null;
  readonly generation: number;
  readonly granted: Grant | null;
  readonly created_at: Instant;
  readonly seen_at: Instant;
  readonly expires_at: Instant;
  readonly address: string | null;
  readonly user_agent: string | null;
}

export interface NewSession {
  readonly personId: string | null;
  readonly generation: number;
  readonly granted: Grant | null;
  readonly seconds: number;
  readonly address: string;
  readonly userAgent: string | undefined;
}

const COLUMNS = `id, person_id, generation, granted, created_at, seen_at, address, user_agent,
  least(ends_at, seen_at + ${IDLE_TIME}) as expires_at`;
const IS_OPEN = `ends_at > now() and seen_at > now() - ${IDLE_TIME}`;

export const linkSpentError = (): DomainError =>
  new DomainError('link_spent', 'The link was used before, or is too old. Make another one.');

/**
 * Stores sessions and one-time links by the digest of their token, so nobody can sign in with the
 * stored data.
 */
export class SessionStore implements Prunable {
  constructor(private readonly database: Database) {}

  /** Opens a session. The returned token is for the cookie only. */
  async open(session: NewSession): Promise<{ row: SessionRow; token: string }> {
    const { text, sha256 } = createToken();
    const [row] = await this.database.query<SessionRow>({
      name: 'open console session',
      text: `insert into console_sessions
          (id, token_sha256, person_id, generation, granted, ends_at, address, user_agent)
        values ($1, $2, $3, $4, $5, now() + make_interval(secs => $6), $7, $8)
        returning ${COLUMNS}`,
      values: [
        `ses_${randomBytes(10).toString('hex')}`,
        sha256,
        session.personId,
        session.generation,
        session.granted === null ? null : JSON.stringify(session.granted),
        session.seconds,
        session.address,
        session.userAgent?.slice(0, USER_AGENT_CHARS_MAX) ?? null,
      ],
    });
    if (row === undefined) throw new Error('the insert returned no row');
    return { row, token: text };
  }

  /** Finds the session of a token and records its use; null if the session has ended. */
  async find(token: string): Promise<SessionRow | null> {
    const sha256 = computeSha256(token);
    const [row] = await this.database.query<SessionRow & { readonly is_due: boolean }>({
      name: 'find console session',
      text: `select ${COLUMNS}, seen_at < now() - ${LAST_SEEN_INTERVAL} as is_due from console_sessions
        where token_sha256 = $1 and ${IS_OPEN}`,
      values: [sha256],
    });
    if (row?.is_due === true) {
      await this.database.query({
        name: 'note console session',
        text: 'update console_sessions set seen_at = now() where token_sha256 = $1',
        values: [sha256],
      });
    }
    return row ?? null;
  }

  async list(): Promise<SessionRow[]> {
    return this.database.query<SessionRow>({
      name: 'list console sessions',
      text: `select ${COLUMNS} from console_sessions where ${IS_OPEN} order by seen_at desc, id`,
    });
  }

  async end(id: string): Promise<void> {
    await this.database.query({
      name: 'end console session',
      text: 'delete from console_sessions where id = $1',
      values: [id],
    });
  }

  /** Creates a link that signs in once, within ten minutes. */
  async makeLink(
    granted: Grant,
    sessionSeconds: number,
  ): Promise<{ token: CreatedToken['text']; expiresAt: Instant }> {
    const { text, sha256 } = createToken();
    const [row] = await this.database.query<{ expires_at: Instant }>({
      name: 'make console link',
      text: `insert into console_links (token_sha256, granted, session_seconds, expires_at)
        values ($1, $2, $3, now() + make_interval(secs => $4)) returning expires_at`,
      values: [sha256, JSON.stringify(granted), sessionSeconds, LINK_SECONDS],
    });
    if (row === undefined) throw new Error('the insert returned no row');
    return { token: text, expiresAt: row.expires_at };
  }

  /**
   * Marks a link as used and returns its rights. It is one statement, so that one of two concurrent
   * requests is refused.
   */
  async spendLink(token: string): Promise<{ granted: Grant; seconds: number }> {
    const [row] = await this.database.query<{ granted: Grant; session_seconds: number }>({
      name: 'spend console link',
      text: `update console_links set spent_at = now()
        where token_sha256 = $1 and spent_at is null and expires_at > now()
        returning granted, session_seconds`,
      values: [computeSha256(token)],
    });
    if (row !== undefined) return { granted: row.granted, seconds: row.session_seconds };
    throw linkSpentError();
  }

  async prune(): Promise<void> {
    await this.database.query({ text: `delete from console_sessions where not (${IS_OPEN})` });
    await this.database.query({
      text: `delete from console_links where expires_at < now() - interval '1 day'`,
    });
  }
}
