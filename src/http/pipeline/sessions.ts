import type { FastifyRequest } from 'fastify';
import type { MemberRole, OperatorRole } from '../../domain/members/member.roles';
import { DomainError } from '../../kernel/errors';
import type { Environment } from '../../kernel/scope';
import type { Instant } from '../../kernel/time';

export interface SessionMembership {
  readonly tenant: { readonly id: string; readonly name: string };
  /** The operator has suspended the tenant. */
  readonly isSuspended: boolean;
  readonly role: MemberRole;
  readonly environments: readonly Environment[];
}

/** A person who is signed in to the console, with the rights of this moment. */
export interface OpenSession {
  readonly id: string;
  /** Null where a one-time link signed them in: then nobody knows who it is. */
  readonly personId: string | null;
  readonly memberships: readonly SessionMembership[];
  readonly operator: OperatorRole | null;
  readonly expiresAt: Instant;
}

/** Knows the sessions of the console; implemented by the console feature. */
export abstract class Sessions {
  /** The session that a cookie's token belongs to; null where there is none, or it has ended. */
  abstract find(token: string): Promise<OpenSession | null>;
}

const SECURE_COOKIE = '__Host-session';
/** Browsers keep the secure one over HTTPS only; this one is for the machine itself. */
const LOCAL_COOKIE = 'session';
const TOKEN = /^[\w-]{43}$/;

/** The token in the cookie that this connection would have been given; null without one. */
export const tokenOf = (request: FastifyRequest, isSecure: boolean): string | null => {
  const name = isSecure ? SECURE_COOKIE : LOCAL_COOKIE;
  for (const part of (request.headers.cookie ?? '').split(';')) {
    const [key, value = ''] = part.trim().split('=', 2);
    if (key === name && TOKEN.test(value)) return value;
  }
  return null;
};

/** No script reads it, and no other site's form or script sends it along with a change. */
export const sessionCookie = (token: string, isSecure: boolean): string =>
  isSecure
    ? `${SECURE_COOKIE}=${token}; Path=/; Secure; HttpOnly; SameSite=Lax`
    : `${LOCAL_COOKIE}=${token}; Path=/; HttpOnly; SameSite=Lax`;

export const endedCookie = (isSecure: boolean): string =>
  `${sessionCookie('', isSecure)}; Max-Age=0`;

const LOCAL_HOST = /^(localhost|[\w-]+\.localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/i;

/** True if the browser runs on the machine of the service: there it needs no HTTPS. */
export const isLocal = ({ headers }: FastifyRequest): boolean =>
  LOCAL_HOST.test(headers.host ?? '');

const SAFE = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Refuses a change that another site makes a browser send. */
export const requireSameOrigin = ({ method, headers }: FastifyRequest): void => {
  if (SAFE.has(method)) return;
  const site = headers['sec-fetch-site'];
  if (site === undefined ? isOwnOrigin(headers) : site === 'same-origin') return;
  throw new DomainError(
    'cross_site_request',
    'With the cookie of a session, changes are taken from pages of the service only.',
  );
};

/** Browsers that do not send `Sec-Fetch-Site` send the origin of the page. */
const isOwnOrigin = ({ origin, host }: FastifyRequest['headers']): boolean =>
  origin !== undefined && URL.canParse(origin) && new URL(origin).host === host;

export const sessionInvalid = (): DomainError =>
  new DomainError('session_invalid', 'There is no session, or it has ended. Sign in again.');
