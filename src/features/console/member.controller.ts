import { Body, Controller, Delete, Get, Param, Patch, Query, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { MemberDirectory } from '../../directories/member.directory';
import { type KnownPerson, requireMembership } from '../../domain/members/member.decider';
import { type MemberRole, mayGiveRole } from '../../domain/members/member.roles';
import { mapPage } from '../../http/lists/keyset';
import { readMemoryPage } from '../../http/lists/memory-page';
import type { Page } from '../../http/lists/pagination';
import { Answer, AnswerNothing, AnswerPage, Does, Refuses } from '../../http/pipeline/answers';
import { Audited, ForMember } from '../../http/pipeline/audience';
import { AsMember } from '../../http/pipeline/decorators';
import { getMembership, getSession } from '../../http/pipeline/request-facts';
import { hasRight } from '../../http/pipeline/roles';
import { DomainError, notFound } from '../../kernel/errors';
import type { CommandContext, Environment } from '../../kernel/scope';
import { ConsoleSessions } from './console.sessions';
import { ChangeMemberBody, ListTeamQuery, MemberResource, SessionItem } from './member.dto';
import { MemberAccounts } from './member-accounts';
import { type SessionRow, SessionStore } from './session.store';

@ApiTags('Console')
@Controller('console/v1')
export class MemberController {
  constructor(
    private readonly members: MemberDirectory,
    private readonly accounts: MemberAccounts,
    private readonly store: SessionStore,
    private readonly sessions: ConsoleSessions,
  ) {}

  @Get('members')
  @ForMember('tenant')
  @Does('Lists the members of the tenant, newest first.')
  @AnswerPage(MemberResource)
  async list(
    @Req() request: FastifyRequest,
    @Query() query: ListTeamQuery,
  ): Promise<Page<MemberResource>> {
    const { id: tenantId } = getMembership(request).tenant;
    const page = await readMemoryPage(query, {
      name: `members of ${tenantId}`,
      items: this.members.listMembers(tenantId),
      filters: {},
      keyOf: (person) => ({
        createdAt: requireMembership(person, tenantId).joinedAt,
        id: person.id,
      }),
    });
    const views = await Promise.all(page.data.map((person) => this.view(person, tenantId)));
    return { ...mapPage(page, ({ id }) => id), data: views };
  }

  @Patch('members/:memberId')
  @ForMember('members')
  @Refuses('last_owner', 'resource_not_found')
  @Does('Changes the role of a member.', 'All sessions of the person end within a second.')
  @Answer(MemberResource)
  async change(
    @AsMember() context: CommandContext,
    @Req() request: FastifyRequest,
    @Param('memberId') memberId: string,
    @Body() body: ChangeMemberBody,
  ): Promise<MemberResource> {
    const own = getMembership(request);
    const { tenant } = own;
    const before = requireMembership(this.members.find(memberId) ?? undefined, tenant.id);
    const role = body.role ?? before.role;
    const environments = body.environments ?? before.environments;
    requireMayGive(own, before);
    requireMayGive(own, { role, environments });
    const change = { tenantId: tenant.id, role, environments };
    return this.view(await this.accounts.changeRole(context, memberId, change), tenant.id);
  }

  @Delete('members/:memberId')
  @ForMember('tenant')
  @Refuses('last_owner', 'resource_not_found')
  @Does(
    'Removes a member, or leaves the tenant.',
    'Every member may leave, except the last owner. Owners and admins may remove other members. All sessions of the person end within a second.',
  )
  @AnswerNothing()
  async remove(
    @AsMember() context: CommandContext,
    @Req() request: FastifyRequest,
    @Param('memberId') memberId: string,
  ): Promise<void> {
    const own = getMembership(request);
    const { tenant } = own;
    const before = requireMembership(this.members.find(memberId) ?? undefined, tenant.id);
    if (memberId !== getSession(request).personId) {
      if (!hasRight(own.role, 'members')) throw notAllowedError();
      requireMayGive(own, before);
    }
    await this.accounts.remove(context, memberId, tenant.id);
  }

  @Get('sessions')
  @ForMember('tenant')
  @Does(
    'Lists sessions; the one used last comes first.',
    'A member sees their own sessions; owners and admins also see those of the other members.',
  )
  @AnswerPage(SessionItem)
  async listSessions(
    @Req() request: FastifyRequest,
    @Query() query: ListTeamQuery,
  ): Promise<Page<SessionItem>> {
    const page = await readMemoryPage(query, {
      name: `sessions for ${getSession(request).id}`,
      items: await this.hideFromOthers(request),
      filters: {},
      keyOf: ({ created_at, id }) => ({ createdAt: created_at, id }),
    });
    const current = getSession(request).id;
    const { tenant } = getMembership(request);
    const view = (row: SessionRow): Promise<SessionItem> =>
      this.sessions.viewItem(row, current, tenant.id);
    return { ...page, data: await Promise.all(page.data.map(view)) };
  }

  @Delete('sessions/:sessionId')
  @Audited('session.ended', 'session')
  @ForMember('tenant')
  @Refuses('resource_not_found')
  @Does('Ends a session at once, in every process.')
  @AnswerNothing()
  async endSession(
    @Req() request: FastifyRequest,
    @Param('sessionId') sessionId: string,
  ): Promise<void> {
    const visible = await this.hideFromOthers(request);
    if (!visible.some(({ id }) => id === sessionId)) throw notFound('session', 'sessionId');
    await this.store.end(sessionId);
  }

  private async hideFromOthers(request: FastifyRequest): Promise<SessionRow[]> {
    const { tenant, role } = getMembership(request);
    const own = getSession(request);
    const open = (await this.store.list()).filter((row) => this.sessions.isOpen(row));
    const isOwn = (row: SessionRow): boolean =>
      row.id === own.id || (own.personId !== null && row.person_id === own.personId);
    const isOfTenant = (row: SessionRow): boolean =>
      this.sessions.toOpenSession(row).memberships.some((each) => each.tenant.id === tenant.id);
    return open.filter((row) => isOwn(row) || (hasRight(role, 'members') && isOfTenant(row)));
  }

  private async view(person: KnownPerson, tenantId: string): Promise<MemberResource> {
    const { role, environments, joinedAt } = requireMembership(person, tenantId);
    return {
      ...(await this.accounts.read(person)),
      role,
      environments: [...environments],
      has_password: person.password !== null,
      joined_at: joinedAt,
    };
  }
}

const notAllowedError = (): DomainError =>
  new DomainError('role_not_allowed', 'Your role does not allow this.');

/**
 * Throws unless the caller may give and take these rights. Admins can neither appoint nor remove
 * owners, and nobody can give or take rights in an environment in which they have none.
 */
export const requireMayGive = (own: Rights, given: Rights): void => {
  const isOwn = (environment: Environment): boolean => own.environments.includes(environment);
  if (!mayGiveRole(own.role, given.role) || !given.environments.every(isOwn))
    throw notAllowedError();
};

interface Rights {
  readonly role: MemberRole;
  readonly environments: readonly Environment[];
}
