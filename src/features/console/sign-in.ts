import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../../config/config';
import type { KnownPerson } from '../../domain/members/member.decider';
import type { AuditTrail } from '../../event-store/audit-trail';
import { createEntropy, newCommandId } from '../../event-store/entropy';
import { isOutage } from '../../event-store/store-outage';
import { getFacts } from '../../http/pipeline/request-facts';
import {
  type CookieOptions,
  createEndedCookie,
  createSessionCookie,
  isLocal,
  nameOnlyTenant,
  readToken,
  SESSION_KINDS,
} from '../../http/pipeline/sessions';
import { DomainError } from '../../kernel/errors';
import type { CommandContext, Originator } from '../../kernel/scope';
import type { Clock } from '../../kernel/time';
import type { Metrics, RefusingWay } from '../../ops/metrics';
import type { ConsoleSessions } from './console.sessions';
import type { MemberAccounts } from './member-accounts';
import type { SessionView } from './session.dto';
import {
  type Grant,
  linkSpentError,
  SESSION_SECONDS_MAX,
  type SessionStore,
} from './session.store';
import type { SignInAttempts } from './sign-in-attempts';

export interface Visitor {
  readonly person: KnownPerson | null;
  readonly granted: Grant | null;
  readonly seconds: number;
  /** The way of signing in, for the audit log. */
  readonly by: 'link' | 'password' | 'invitation' | 'new_password' | 'oidc';
}

interface SignInParts {
  readonly store: SessionStore;
  readonly sessions: ConsoleSessions;
  readonly accounts: MemberAccounts;
  readonly attempts: SignInAttempts;
  readonly auditTrail: AuditTrail;
  readonly clock: Clock;
  readonly metrics: Metrics;
  readonly config: Pick<Config, 'consoleFrameAncestors'>;
}

/**
 * The ways to sign in to the console. Each ends in a session, its cookie and an item of the audit
 * log.
 */
export class SignIn {
  constructor(private readonly parts: SignInParts) {}

  async signInByLink(
    request: FastifyRequest,
    reply: FastifyReply,
    token: string,
  ): Promise<SessionView> {
    requireCookies(request);
    const { granted, seconds } = await this.parts.store
      .spendLink(token)
      .catch((error: unknown) => this.recordRefusal('link', error));
    if (!this.parts.sessions.isGranted(granted)) this.recordRefusal('link', linkSpentError());
    return this.openSession(request, reply, { person: null, granted, seconds, by: 'link' });
  }

  /** Signs in with a password. Every attempt is counted until its password proves to be right. */
  async signInByPassword(
    request: FastifyRequest,
    reply: FastifyReply,
    { email, password }: { readonly email: string; readonly password: string },
  ): Promise<SessionView> {
    requireCookies(request);
    const { address } = getFacts(request);
    const account = this.parts.accounts.deriveId(email);
    const { id } = await this.parts.attempts
      .countAttempt({ account, address })
      .catch((error: unknown) => this.recordRefusal('password', error));
    const person = this.parts.accounts.findByEmail(email);
    if (!(await this.parts.accounts.hasPassword(person, password)) || person === null) {
      this.recordRefusal(
        'password',
        new DomainError('sign_in_failed', 'The e-mail address or the password is wrong.'),
      );
    }
    await this.parts.attempts.removeAttempt(id);
    return this.openSession(request, reply, {
      person,
      granted: null,
      seconds: SESSION_SECONDS_MAX,
      by: 'password',
    });
  }

  /** Throws unless the current password is right. A person without a password needs none. */
  async requirePassword(
    request: FastifyRequest,
    person: KnownPerson,
    current: string,
  ): Promise<void> {
    if (person.password === null) return;
    const { address } = getFacts(request);
    const { id } = await this.parts.attempts.countAttempt({ account: person.id, address });
    if (!(await this.parts.accounts.hasPassword(person, current))) {
      throw new DomainError('sign_in_failed', 'The current password is wrong.', {
        param: 'current',
      });
    }
    await this.parts.attempts.removeAttempt(id);
  }

  /**
   * Opens a session, records the sign-in in the audit log and sets the cookie. If the audit log
   * cannot record it, the person gets no cookie.
   */
  async openSession(
    request: FastifyRequest,
    reply: FastifyReply,
    { person, granted, seconds, by }: Visitor,
  ): Promise<SessionView> {
    const { isSecure, id: requestId, address } = getFacts(request);
    const { row, token } = await this.parts.store.open({
      personId: person?.id ?? null,
      generation: person?.generation ?? 0,
      granted,
      seconds,
      address,
      userAgent: request.headers['user-agent'],
    });
    const within = granted !== null && 'tenant_id' in granted ? granted.tenant_id : null;
    await this.parts.auditTrail.record({
      action: 'member.signed_in',
      object: { type: 'session', id: row.id },
      origin: {
        by: { type: 'member', id: person?.id ?? row.id, name: by },
        request_id: requestId,
        address,
        ...(within === null ? nameOnlyTenant([...(person?.memberships.keys() ?? [])]) : { within }),
      },
    });
    // A new password opens a session too, but it is no sign-in, so it is not counted.
    if (by !== 'new_password') this.parts.metrics.signIns.inc({ way: by, outcome: 'ok' });
    const opened = this.parts.sessions.toOpenSession(row);
    const place = this.getCookiePlace(request);
    if (within === null) {
      void reply.header('set-cookie', createSessionCookie(token, { kind: 'own', ...place }));
      return this.parts.sessions.view(opened);
    }
    void reply.header('set-cookie', createSessionCookie(token, { kind: 'portal', ...place }));
    const own = readToken(request, isSecure, 'own');
    const before = own === null ? null : await this.parts.sessions.find(own);
    return this.parts.sessions.view(before ?? opened, opened);
  }

  /** Removes the cookies of both kinds of sessions from the browser. */
  endCookies(request: FastifyRequest, reply: FastifyReply): void {
    const place = this.getCookiePlace(request);
    for (const kind of SESSION_KINDS)
      void reply.header('set-cookie', createEndedCookie({ kind, ...place }));
  }

  private getCookiePlace(request: FastifyRequest): Omit<CookieOptions, 'kind'> {
    const { consoleFrameAncestors: ancestors } = this.parts.config;
    return { isSecure: getFacts(request).isSecure, isFramed: ancestors.length > 0 };
  }

  /** Creates the command context of a person who is about to sign in. */
  createContext(request: FastifyRequest, by: Originator, within: string | null): CommandContext {
    const { id, address } = getFacts(request);
    const commandId = newCommandId();
    return {
      commandId,
      now: this.parts.clock.now(),
      actor: 'dashboard',
      origin: { by, request_id: id, address, ...(within === null ? {} : { within }) },
      entropy: createEntropy(commandId),
      resumed: false,
      wrote: () => undefined,
    };
  }

  /** Counts a refused sign-in. If a store is away, the sign-in has failed but was not refused. */
  private recordRefusal(way: RefusingWay, error: unknown): never {
    if (!isOutage(error)) this.parts.metrics.signIns.inc({ way, outcome: 'refused' });
    throw error;
  }
}

/**
 * Throws if the browser would silently drop the cookie. Browsers keep it over HTTPS, or on the
 * machine itself.
 */
export const requireCookies = (request: FastifyRequest): void => {
  if (!httpsNeededError(request)) return;
  throw new DomainError('https_needed', 'Open the console over HTTPS to sign in.');
};

export const httpsNeededError = (request: FastifyRequest): boolean =>
  !getFacts(request).isSecure && !isLocal(request);
