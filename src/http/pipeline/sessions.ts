import type { FastifyRequest } from 'fastify';
import type { MemberRole, OperatorRole } from '../../domain/members/member.roles';
import { DomainError } from '../../kernel/errors';
import type { Environment } from '../../kernel/scope';
import type { Instant } from '../../kernel/time';

export interface SessionMembership {
  readonly tenant: { readonly id: string; readonly name: string };
  /** When the operator suspended the tenant; null if it is not suspended. */
  readonly suspendedAt: Instant | null;
  readonly role: MemberRole;
  readonly environments: readonly Environment[];
  /** The page of the platform to which the dashboard leads back; only with a dashboard link. */
  readonly returnUrl?: string;
}

/** A person who is signed in to the console, with their current rights. */
export interface OpenSession {
  readonly id: string;
  /** Null if a one-time link opened the session; the person is then unknown. */
  readonly personId: string | null;
  readonly memberships: readonly SessionMembership[];
  readonly operator: OperatorRole | null;
  /** The named operator token from which a link led to the session; null if none did. */
  readonly operatorToken: string | null;
  readonly expiresAt: Instant;
}

/**
 * Names the tenant of a person or a session that has only one. A call that names no tenant, such as
 * a sign-in or a sign-out, is recorded in the audit log of that tenant.
 */
export const nameOnlyTenant = (tenantIds: readonly string[]): { readonly within?: string } => {
  const [tenantId, ...others] = tenantIds;
  return tenantId === undefined || others.length > 0 ? {} : { within: tenantId };
};

/** Finds the sessions of the console. The console feature implements it. */
export abstract class Sessions {
  /** The session of a cookie's token; null if there is none or it has ended. */
  abstract find(token: string): Promise<OpenSession | null>;
}

/**
 * A browser may have two sessions: the person's own, and one that a link to a tenant's dashboard opened.
 * The second does not replace the first: an operator who opens a dashboard stays an operator.
 */
export const SESSION_KINDS = ['own', 'portal'] as const;
export type SessionKind = (typeof SESSION_KINDS)[number];

/**
 * The names of the cookies. Browsers keep the secure ones over HTTPS only; the others are for
 * access from the same machine.
 */
const COOKIES: Readonly<Record<SessionKind, { readonly secure: string; readonly local: string }>> =
  {
    own: { secure: '__Host-session', local: 'session' },
    portal: { secure: '__Host-portal', local: 'portal' },
  };
const TOKEN = /^[\w-]{43}$/;

/** Returns the value of a cookie; null if the browser did not send it. */
export const readCookie = ({ headers }: FastifyRequest, name: string): string | null => {
  for (const part of (headers.cookie ?? '').split(';')) {
    const [key, value = ''] = part.trim().split('=', 2);
    if (key === name) return value;
  }
  return null;
};

/**
 * Returns the token of the cookie that this connection would have been given; null if there is
 * none.
 */
export const readToken = (
  request: FastifyRequest,
  isSecure: boolean,
  kind: SessionKind,
): string | null => {
  const { secure, local } = COOKIES[kind];
  const value = readCookie(request, isSecure ? secure : local);
  return value !== null && TOKEN.test(value) ? value : null;
};

export interface CookieOptions {
  readonly kind: SessionKind;
  readonly isSecure: boolean;
  /** True if pages of other sites may show the console in a frame. */
  readonly isFramed: boolean;
}

/**
 * Builds a cookie that no script can read. Browsers do not send it from other sites. Where a
 * dashboard may be in a frame of another site, its cookie is sent there, but only in frames of the
 * site on which it was set (`Partitioned`, CHIPS).
 */
export const createSessionCookie = (
  token: string,
  { kind, isSecure, isFramed }: CookieOptions,
): string => {
  if (!isSecure) return `${COOKIES[kind].local}=${token}; Path=/; HttpOnly; SameSite=Lax`;
  const sites = isFramed && kind === 'portal' ? 'SameSite=None; Partitioned' : 'SameSite=Lax';
  return `${COOKIES[kind].secure}=${token}; Path=/; Secure; HttpOnly; ${sites}`;
};

export const createEndedCookie = (options: CookieOptions): string =>
  `${createSessionCookie('', options)}; Max-Age=0`;

const LOCAL_HOST = /^(localhost|[\w-]+\.localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/i;

/** True if the browser runs on the machine of the service and so needs no HTTPS. */
export const isLocal = ({ headers }: FastifyRequest): boolean =>
  LOCAL_HOST.test(headers.host ?? '');

export const sessionInvalidError = (): DomainError =>
  new DomainError('session_invalid', 'There is no session, or it has ended. Sign in again.');
