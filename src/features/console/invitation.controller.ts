import {
  Body,
  Controller,
  Delete,
  Get,
  HttpCode,
  Param,
  Post,
  Query,
  Req,
  Res,
} from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { TenantDirectory } from '../../directories/tenant.directory';
import {
  type Invitation,
  type KnownPerson,
  requireInvitation,
} from '../../domain/members/member.decider';
import { readMemoryPage } from '../../http/lists/memory-page';
import type { Page } from '../../http/lists/pagination';
import { Answer, AnswerNothing, AnswerPage, Does, Refuses } from '../../http/pipeline/answers';
import { ForMember, ForVisitor } from '../../http/pipeline/audience';
import { AsMember } from '../../http/pipeline/decorators';
import { getMembership } from '../../http/pipeline/request-facts';
import { DomainError } from '../../kernel/errors';
import type { CommandContext } from '../../kernel/scope';
import { Clock, DAY_MS, plusMs } from '../../kernel/time';
import { InvitationMails } from './invitation.mail';
import { requireMayGive } from './member.controller';
import {
  AcceptInvitationBody,
  InvitationLookup,
  InvitationResource,
  InviteBody,
  ListTeamQuery,
  NewInvitationResource,
} from './member.dto';
import { createInvitationToken, MemberAccounts } from './member-accounts';
import { LinkTokenBody, SessionView } from './session.dto';
import { SESSION_SECONDS_MAX } from './session.store';
import { requireCookies, SignIn } from './sign-in';
import { createToken } from './tokens';

const INVITATION_DAYS = 7;

@ApiTags('Console')
@Controller('console/v1/invitations')
export class InvitationController {
  constructor(
    private readonly tenants: TenantDirectory,
    private readonly accounts: MemberAccounts,
    private readonly signIn: SignIn,
    private readonly mails: InvitationMails,
    private readonly clock: Clock,
  ) {}

  @Get()
  @ForMember('members')
  @Does('Lists invitations that are still open, newest first.')
  @AnswerPage(InvitationResource)
  async list(
    @Req() request: FastifyRequest,
    @Query() query: ListTeamQuery,
  ): Promise<Page<InvitationResource>> {
    const { id } = getMembership(request).tenant;
    const open = this.accounts
      .listInvited(id)
      .flatMap((person) =>
        [...person.invitations.values()]
          .filter(({ tenantId, expiresAt }) => tenantId === id && expiresAt > this.clock.now())
          .map((invitation) => ({ person, invitation })),
      );
    const page = await readMemoryPage(query, {
      name: `invitations of ${id}`,
      items: open,
      filters: {},
      keyOf: ({ invitation }) => ({ createdAt: invitation.createdAt, id: invitation.id }),
    });
    const data = await Promise.all(
      page.data.map(({ person, invitation }) => this.view(person, invitation)),
    );
    return { ...page, data };
  }

  @Post()
  @ForMember('members')
  @Refuses('already_member')
  @Does(
    'Invites a person to the tenant.',
    'The response contains the link. If a mail server and `PUBLIC_URL` are configured, the invitation is also mailed. A new invitation of the same person replaces the old one.',
  )
  @Answer(NewInvitationResource, { status: 201 })
  async invite(
    @AsMember() context: CommandContext,
    @Req() request: FastifyRequest,
    @Body() body: InviteBody,
  ): Promise<NewInvitationResource> {
    const own = getMembership(request);
    const { tenant } = own;
    const environments = body.environments ?? [...own.environments];
    requireMayGive(own, { role: body.role, environments });
    const { text, sha256 } = createToken();
    const id = `inv_${context.commandId.slice(0, 20)}`;
    const person = await this.accounts.invite(context, {
      id,
      email: body.email,
      tenantId: tenant.id,
      role: body.role,
      environments,
      tokenSha256: sha256,
      expiresAt: plusMs(context.now, INVITATION_DAYS * DAY_MS),
    });
    const invitation = person.invitations.get(id);
    if (invitation === undefined) throw new Error('the new invitation is missing in its stream');
    const token = createInvitationToken(person.id, text);
    const link = this.mails.createLink(request, token);
    const letter = { to: body.email, tenantName: tenant.name, link, id };
    const mailed = await this.mails.send(request, letter);
    return { ...(await this.view(person, invitation)), link, mailed };
  }

  @Delete(':invitationId')
  @ForMember('members')
  @Refuses('resource_not_found')
  @Does('Revokes an invitation: its link no longer works.')
  @AnswerNothing()
  async revoke(
    @AsMember() context: CommandContext,
    @Req() request: FastifyRequest,
    @Param('invitationId') invitationId: string,
  ): Promise<void> {
    await this.accounts.revokeInvitation(context, getMembership(request).tenant.id, invitationId);
  }

  @Post('lookup')
  @HttpCode(200)
  @ForVisitor()
  @Refuses('invitation_spent')
  @Does('Shows what an invitation is for.', 'Looking it up does not use up the invitation.')
  @Answer(InvitationLookup)
  async lookUp(@Body() { token }: LinkTokenBody): Promise<InvitationLookup> {
    const now = this.clock.now();
    const { person, tokenSha256 } = this.accounts.findInvitee(token, now);
    const { tenantId, role, expiresAt } = requireInvitation(person, tokenSha256, now);
    const { id, name } = this.tenants.requireUndeleted(tenantId);
    const { email } = await this.accounts.read(person);
    const tenant = { id, name };
    return { tenant, email, role, expires_at: expiresAt, has_account: person.password !== null };
  }

  @Post('accept')
  @ForVisitor()
  @Refuses('invitation_spent', 'sign_in_failed', 'https_needed', 'rate_limited')
  @Does(
    'Accepts an invitation and signs in.',
    'A person who has a password already must give that one.',
  )
  @Answer(SessionView)
  async accept(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Body() body: AcceptInvitationBody,
  ): Promise<SessionView> {
    requireCookies(request);
    const { person, tokenSha256 } = this.accounts.findInvitee(body.token, this.clock.now());
    const { tenantId } = requireInvitation(person, tokenSha256, this.clock.now());
    const isNew = person.password === null;
    if (isNew && body.password === undefined) throw passwordMissingError();
    await this.signIn.requirePassword(request, person, body.password ?? '');
    const by = { type: 'member', id: person.id, name: 'invitation' } as const;
    const joined = await this.accounts.accept(
      this.signIn.createContext(request, by, tenantId),
      person,
      {
        tokenSha256,
        name: body.name ?? null,
        password: isNew ? (body.password ?? null) : null,
      },
    );
    return this.signIn.openSession(request, reply, {
      person: joined,
      granted: null,
      seconds: SESSION_SECONDS_MAX,
      by: 'invitation',
    });
  }

  private async view(person: KnownPerson, invitation: Invitation): Promise<InvitationResource> {
    const { email } = await this.accounts.read(person);
    return {
      id: invitation.id,
      email,
      role: invitation.role,
      environments: [...invitation.environments],
      created_at: invitation.createdAt,
      expires_at: invitation.expiresAt,
    };
  }
}

const passwordMissingError = (): DomainError =>
  new DomainError('parameter_missing', 'Choose a password of at least 12 characters.', {
    param: 'password',
  });
