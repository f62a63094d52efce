import { Body, Controller, Delete, Get, Param, Post, Req, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { MemberDirectory } from '../../directories/member.directory';
import { TenantDirectory } from '../../directories/tenant.directory';
import { isMemberRole, isOperatorRole } from '../../domain/members/member.roles';
import { Config } from '../../config/config';
import { Answer, AnswerNothing, Does, Refuses } from '../../http/pipeline/answers';
import { OperatorAuthenticator } from '../../http/pipeline/authentication';
import { Audited, ForMember, ForOperator, ForVisitor } from '../../http/pipeline/audience';
import { getFacts, getSession } from '../../http/pipeline/request-facts';
import { DomainError } from '../../kernel/errors';
import { PLAIN_URL } from '../../kernel/url';
import { AsMember } from '../../http/pipeline/decorators';
import { type CommandContext, ENVIRONMENTS } from '../../kernel/scope';
import { getAddress } from './addresses';
import { ConsoleSessions } from './console.sessions';
import { MemberAccounts } from './member-accounts';
import {
  ChangePasswordBody,
  ConsoleLink,
  LinkTokenBody,
  MakeConsoleLinkBody,
  MakeDashboardLinkBody,
  SessionView,
  SignInBody,
} from './session.dto';
import { type Grant, SESSION_SECONDS_MAX, SessionStore } from './session.store';
import { SignIn } from './sign-in';

@ApiTags('Console')
@Controller('console/v1')
export class SessionController {
  constructor(
    private readonly sessions: ConsoleSessions,
    private readonly store: SessionStore,
    private readonly accounts: MemberAccounts,
    private readonly members: MemberDirectory,
    private readonly signInService: SignIn,
  ) {}

  @Get('session')
  @ForMember('session')
  @Does('Shows who is signed in, and what they may do.')
  @Answer(SessionView)
  async get(@Req() request: FastifyRequest): Promise<SessionView> {
    return this.sessions.view(getSession(request), getFacts(request).portal);
  }

  @Post('session')
  @ForVisitor()
  @Refuses('sign_in_failed', 'https_needed', 'rate_limited')
  @Does(
    'Signs in with a password.',
    'Five attempts with a wrong password are allowed in any fifteen minutes, for each account and for each address; then also the right password is refused until `Retry-After` is over.',
  )
  @Answer(SessionView)
  signIn(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Body() body: SignInBody,
  ): Promise<SessionView> {
    return this.signInService.signInByPassword(request, reply, body);
  }

  @Post('session/link')
  @ForVisitor()
  @Refuses('link_spent', 'https_needed')
  @Does(
    'Signs in with a one-time link.',
    'Opening the page of the link does not use it up; only this call does.',
  )
  @Answer(SessionView)
  spendLink(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Body() { token }: LinkTokenBody,
  ): Promise<SessionView> {
    return this.signInService.signInByLink(request, reply, token);
  }

  @Delete('session')
  @Audited('member.signed_out', 'session')
  @ForMember('session')
  @Does('Ends the session, also one that was opened by a link to the dashboard.')
  @AnswerNothing()
  async signOut(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<void> {
    const { portal } = getFacts(request);
    await this.store.end(getSession(request).id);
    if (portal !== null) await this.store.end(portal.id);
    this.signInService.endCookies(request, reply);
  }

  @Post('password')
  @ForMember('session')
  @Refuses('sign_in_failed', 'role_not_allowed')
  @Does(
    'Sets the password of the person who is signed in.',
    'All other sessions of the person end.',
  )
  @Answer(SessionView)
  async changePassword(
    @AsMember() context: CommandContext,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Body() body: ChangePasswordBody,
  ): Promise<SessionView> {
    const { id, personId } = getSession(request);
    const person = personId === null ? null : this.members.find(personId);
    if (person === null) {
      throw new DomainError('role_not_allowed', 'A one-time link has no password.');
    }
    await this.signInService.requirePassword(request, person, body.current ?? '');
    const changed = await this.accounts.setPassword(context, person, body.new);
    await this.store.end(id);
    return this.signInService.openSession(request, reply, {
      person: changed,
      granted: null,
      seconds: SESSION_SECONDS_MAX,
      by: 'new_password',
    });
  }
}

@ApiTags('Operator')
@Controller('operator/v1')
@ForOperator()
export class ConsoleLinkController {
  constructor(
    private readonly store: SessionStore,
    private readonly tenants: TenantDirectory,
    private readonly operators: OperatorAuthenticator,
    private readonly config: Config,
  ) {}

  @Audited('console_link.created', 'tenant')
  @Post('console_links')
  @Does(
    'Creates a link that signs in to the console once, within ten minutes.',
    '`npm run cli -- console link` calls this. The link is used up only when its button is pressed.',
  )
  @Answer(ConsoleLink, { status: 201 })
  make(@Req() request: FastifyRequest, @Body() body: MakeConsoleLinkBody): Promise<ConsoleLink> {
    const granted = this.findGrant(body);
    getFacts(request).auditedObject =
      'tenant_id' in granted
        ? { type: 'tenant', id: granted.tenant_id }
        : { type: 'operator_console', id: granted.operator };
    return this.createLink(request, { granted, seconds: SESSION_SECONDS_MAX });
  }

  @Audited('dashboard_link.created', 'tenant')
  @Post('tenants/:tenantId/dashboard_links')
  @Refuses('url_not_https')
  @Does(
    'Creates a link to the dashboard of a tenant, to be placed in your own pages.',
    'The link signs in once, within ten minutes; the session ends after `expires_in` seconds.',
  )
  @Answer(ConsoleLink, { status: 201 })
  makeDashboardLink(
    @Req() request: FastifyRequest,
    @Param('tenantId') tenantId: string,
    @Body() body: MakeDashboardLinkBody,
  ): Promise<ConsoleLink> {
    const { id } = this.tenants.requireUndeleted(tenantId);
    const environments = body.environments ?? ENVIRONMENTS;
    const back = body.return_url === undefined ? {} : { return_url: requireHttps(body.return_url) };
    const granted = { tenant_id: id, role: body.role, environments, ...back };
    return this.createLink(request, { granted, seconds: body.expires_in });
  }

  private async createLink(
    request: FastifyRequest,
    { granted, seconds }: { granted: Grant; seconds: number },
  ): Promise<ConsoleLink> {
    const operatorToken = this.findOperatorToken(request);
    const { token, expiresAt } = await this.store.makeLink(
      { ...granted, ...(operatorToken === null ? {} : { operator_token: operatorToken }) },
      seconds,
    );
    const url = `${getAddress(request, this.config)}/console/link#${token}`;
    return { url, expires_at: expiresAt };
  }

  /** Returns the named token of the caller, or that from which a link led to their session. */
  private findOperatorToken(request: FastifyRequest): string | null {
    const { session, actor } = getFacts(request);
    if (session !== null) return session.operatorToken;
    return actor === null || this.operators.isRoot(actor) ? null : actor.id;
  }

  private findGrant({ tenant_id, role }: MakeConsoleLinkBody): Grant {
    if (tenant_id === undefined) {
      const operator = role ?? 'operator';
      if (isOperatorRole(operator)) return { operator };
      throw invalidRoleError('Name a tenant, or a role of operators.');
    }
    const given = role ?? 'owner';
    if (!isMemberRole(given)) throw invalidRoleError('A tenant has no such role.');
    const { id } = this.tenants.requireUndeleted(tenant_id, 'tenant_id');
    return { tenant_id: id, role: given, environments: ENVIRONMENTS };
  }
}

const invalidRoleError = (message: string): DomainError =>
  new DomainError('parameter_invalid', message, { param: 'role' });

const requireHttps = (text: string): string => {
  if (PLAIN_URL.test(text) && URL.canParse(text) && new URL(text).protocol === 'https:')
    return text;
  throw new DomainError(
    'url_not_https',
    'return_url must be a URL that starts with https://, without user name and fragment.',
    {
      param: 'return_url',
    },
  );
};
