import type { MemberDirectory } from '../../directories/member.directory';
import {
  acceptInvitation,
  type Acceptance,
  changeRole,
  invitePerson,
  isFullOwner,
  type KnownPerson,
  memberAggregate,
  type NewInvitation,
  type Person,
  removeMember,
  type Rights,
  requireInvitation,
  revokeInvitation,
  type RoleChange,
  type ProviderRoles,
  setPassword,
  signInByProvider,
} from '../../domain/members/member.decider';
import type { MemberFact } from '../../domain/members/member.events';
import type { Aggregates } from '../../event-store/aggregates';
import type { MasterKey } from '../../event-store/master-key';
import { streams } from '../../event-store/streams';
import type { Vault } from '../../event-store/vault';
import { DomainError, notFound } from '../../kernel/errors';
import type { CommandContext } from '../../kernel/scope';
import type { Instant } from '../../kernel/time';
import type { Database } from '../../read-models/database';
import { hashPassword, isPassword } from './passwords';
import { computeSha256 } from './tokens';

const VISIBILITY_TIMEOUT_MS = 5_000;

export interface PersonText {
  readonly id: string;
  readonly email: string | null;
  readonly name: string | null;
}

export interface ProviderPerson {
  readonly email: string;
  readonly name: string | null;
  /** The roles from the provider; null if roles are given in the console. */
  readonly roles: ProviderRoles | null;
}

/** Manages the people who may sign in: their names, and the commands that change their rights. */
export class MemberAccounts {
  constructor(
    private readonly aggregates: Aggregates,
    private readonly directory: MemberDirectory,
    private readonly vault: Vault,
    private readonly masterKey: MasterKey,
    private readonly database: Database,
  ) {}

  /** Derives the id of a person from the e-mail address, so an address has one account for ever. */
  deriveId(email: string): string {
    const digest = this.masterKey.digest(`member ${email.trim().toLowerCase()}`);
    return `mem_${digest.toString('hex').slice(0, 26)}`;
  }

  findByEmail(email: string): KnownPerson | null {
    return this.directory.find(this.deriveId(email));
  }

  /** Returns the people who have an invitation to the tenant. */
  listInvited(tenantId: string): KnownPerson[] {
    return this.directory.listInvited(tenantId);
  }

  async read({ id, email, name }: KnownPerson): Promise<PersonText> {
    return {
      id,
      email: await this.vault.openText(id, email),
      name: name === null ? null : await this.vault.openText(id, name),
    };
  }

  /**
   * True if the password is the person's. The check takes equally long if there is no such person.
   */
  async hasPassword(person: KnownPerson | null, password: string): Promise<boolean> {
    const sealed = person?.password ?? null;
    const stored =
      person === null || sealed === null ? null : await this.vault.openText(person.id, sealed);
    return isPassword(password, stored);
  }

  async invite(
    context: CommandContext,
    { email, ...draft }: Omit<NewInvitation, 'person'> & { readonly email: string },
  ): Promise<KnownPerson> {
    const person = await this.readAccount(context, email);
    return this.write(context, person.id, invitePerson({ ...draft, person }));
  }

  async revokeInvitation(
    context: CommandContext,
    tenantId: string,
    invitationId: string,
  ): Promise<void> {
    const person = this.directory
      .listInvited(tenantId)
      .find(({ invitations }) => invitations.get(invitationId)?.tenantId === tenantId);
    if (person === undefined) throw notFound('invitation', 'invitationId');
    await this.write(context, person.id, revokeInvitation(tenantId, invitationId));
  }

  /** Finds the person whom a token invites. The token begins with the person's id. */
  findInvitee(token: string, now: Instant): { person: KnownPerson; tokenSha256: string } {
    const { personId, tokenSha256 } = readInvitationToken(token);
    const person = this.directory.find(personId) ?? undefined;
    requireInvitation(person, tokenSha256, now);
    if (person === undefined) throw new Error('the invitation has no person');
    return { person, tokenSha256 };
  }

  async accept(
    context: CommandContext,
    person: KnownPerson,
    given: { tokenSha256: string; name: string | null; password: string | null },
  ): Promise<KnownPerson> {
    const acceptance: Acceptance = {
      tokenSha256: given.tokenSha256,
      name: given.name === null ? null : await this.seal(person.id, given.name),
      password:
        given.password === null
          ? null
          : await this.seal(person.id, await hashPassword(given.password)),
    };
    return this.write(context, person.id, (state) =>
      acceptInvitation(acceptance, context.now)(state),
    );
  }

  async setPassword(
    context: CommandContext,
    person: KnownPerson,
    password: string,
  ): Promise<KnownPerson> {
    const sealed = await this.seal(person.id, await hashPassword(password));
    return this.write(context, person.id, () => [setPassword(sealed)]);
  }

  /**
   * Returns the account of an address that the identity provider has verified. Creates it if it is
   * missing.
   */
  async signInByProvider(
    context: CommandContext,
    { email, name, roles }: ProviderPerson,
  ): Promise<KnownPerson> {
    const account = await this.readAccount(context, email);
    const sealedName = name === null ? null : await this.seal(account.id, name);
    const identity = { ...account, name: sealedName, roles };
    return this.write(context, account.id, (person) =>
      signInByProvider(identity, context.now)(person),
    );
  }

  changeRole(context: CommandContext, personId: string, change: RoleChange): Promise<KnownPerson> {
    return this.runKeepingAnOwner({ personId, tenantId: change.tenantId, next: change }, () =>
      this.write(context, personId, changeRole(change)),
    );
  }

  remove(context: CommandContext, personId: string, tenantId: string): Promise<KnownPerson> {
    return this.runKeepingAnOwner({ personId, tenantId, next: null }, () =>
      this.write(context, personId, removeMember(tenantId)),
    );
  }

  /**
   * Runs role changes and removals of a tenant's members one at a time over all processes, so that
   * the last owner cannot leave.
   */
  private runKeepingAnOwner<T>(
    {
      personId,
      tenantId,
      next,
    }: { readonly personId: string; readonly tenantId: string; readonly next: Rights | null },
    work: () => Promise<T>,
  ): Promise<T> {
    return this.database.transaction(async (session) => {
      await session.query({
        text: 'select pg_advisory_xact_lock(hashtextextended($1, 0))',
        values: [`members of ${tenantId}`],
      });
      const isLost =
        !isFullOwner(next) && isFullOwner(await this.readCurrentRights(personId, tenantId));
      if (isLost && !(await this.hasOtherOwner(personId, tenantId))) {
        throw new DomainError(
          'last_owner',
          'A tenant must have at least one owner of both environments. Make another member such an owner first.',
        );
      }
      return work();
    });
  }

  private async hasOtherOwner(personId: string, tenantId: string): Promise<boolean> {
    for (const { id } of this.directory.listMembers(tenantId)) {
      if (id !== personId && isFullOwner(await this.readCurrentRights(id, tenantId))) return true;
    }
    return false;
  }

  /** Reads the rights from the log, because the directory may be some milliseconds behind. */
  private async readCurrentRights(personId: string, tenantId: string): Promise<Rights | null> {
    const { state } = await this.aggregates.load(memberAggregate, streams.member(personId));
    return state.status === 'known' ? (state.memberships.get(tenantId) ?? null) : null;
  }

  private async readAccount(
    context: CommandContext,
    email: string,
  ): Promise<{ id: string; email: string }> {
    const id = this.deriveId(email);
    await this.vault.create(id, context);
    return { id, email: await this.seal(id, email.trim()) };
  }

  private async seal(personId: string, text: string): Promise<string> {
    const sealed = await this.vault.sealText(personId, text);
    if (sealed === null) throw new Error(`the key of ${personId} is gone`);
    return sealed;
  }

  private async write(
    context: CommandContext,
    personId: string,
    decide: (person: Person) => readonly MemberFact[],
  ): Promise<KnownPerson> {
    const stream = streams.member(personId);
    const { state, revision } = await this.aggregates.run(
      memberAggregate,
      stream,
      context,
      (moment) => decide(moment.state),
    );
    await this.directory.waitForRevision(stream.name, revision, VISIBILITY_TIMEOUT_MS);
    if (state.status === 'absent') throw notFound('member', 'memberId');
    return state;
  }
}

const readInvitationToken = (token: string): { personId: string; tokenSha256: string } => {
  const [personId = '', secret = ''] = token.split('.', 2);
  return { personId, tokenSha256: computeSha256(secret) };
};

/** Builds the token in the link of an invitation. */
export const createInvitationToken = (personId: string, secret: string): string =>
  `${personId}.${secret}`;
