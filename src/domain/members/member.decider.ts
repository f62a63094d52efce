import { type Decider, unreachable } from '../../kernel/decider';
import { DomainError, notFound } from '../../kernel/errors';
import { type Environment, ENVIRONMENTS } from '../../kernel/scope';
import type { Instant } from '../../kernel/time';
import type { MemberFact } from './member.events';
import type { MemberRole, OperatorRole } from './member.roles';

export interface Membership {
  readonly role: MemberRole;
  readonly environments: readonly Environment[];
  readonly joinedAt: Instant;
  /** True if an identity provider gave the membership and may remove it. */
  readonly isFromProvider: boolean;
}

export interface Invitation {
  readonly id: string;
  readonly tenantId: string;
  readonly role: MemberRole;
  readonly environments: readonly Environment[];
  readonly tokenSha256: string;
  readonly createdAt: Instant;
  readonly expiresAt: Instant;
}

/** A person who may sign in to the console. E-mail address, name and password hash are sealed. */
export type Person =
  | { readonly status: 'absent' }
  | {
      readonly status: 'known';
      readonly id: string;
      readonly email: string;
      readonly name: string | null;
      readonly password: string | null;
      readonly operator: OperatorRole | null;
      /** Memberships by tenant. */
      readonly memberships: ReadonlyMap<string, Membership>;
      /** Open invitations by id. */
      readonly invitations: ReadonlyMap<string, Invitation>;
      /**
       * Grows with every change that ends sessions. Sessions of an earlier generation are invalid.
       */
      readonly generation: number;
    };

export type KnownPerson = Extract<Person, { status: 'known' }>;

const evolveKnown = (person: KnownPerson, fact: MemberFact & { at: Instant }): KnownPerson => {
  const ended = { generation: person.generation + 1 };
  switch (fact.type) {
    case 'member.registered':
      return person;
    case 'member.invited':
      return { ...person, invitations: setEntry(person.invitations, ...toInvitation(fact)) };
    case 'member.invitation_revoked':
      return { ...person, invitations: removeEntry(person.invitations, fact.data.invitation_id) };
    case 'member.joined':
      return {
        ...person,
        memberships: setEntry(person.memberships, fact.data.tenant_id, {
          ...getRights(fact),
          joinedAt: fact.at,
          isFromProvider: fact.data.invitation_id === null,
        }),
        invitations: removeEntry(person.invitations, fact.data.invitation_id),
      };
    case 'member.role_changed': {
      const before = person.memberships.get(fact.data.tenant_id);
      const membership = {
        joinedAt: before?.joinedAt ?? fact.at,
        isFromProvider: before?.isFromProvider ?? false,
        ...getRights(fact),
      };
      const memberships = setEntry(person.memberships, fact.data.tenant_id, membership);
      return { ...person, ...ended, memberships };
    }
    case 'member.removed': {
      const memberships = removeEntry(person.memberships, fact.data.tenant_id);
      return { ...person, ...ended, memberships };
    }
    case 'member.operator_role_set':
      return { ...person, ...ended, operator: fact.data.role };
    case 'member.named':
      return { ...person, name: fact.data.name };
    case 'member.password_set':
      return { ...person, ...ended, password: fact.data.password };
    default:
      return unreachable(fact);
  }
};

export const memberAggregate: Decider<Person, MemberFact> = {
  initialState: () => ({ status: 'absent' }),
  evolve: (person, fact) => {
    if (person.status === 'known') return evolveKnown(person, fact);
    if (fact.type !== 'member.registered') return person;
    return {
      status: 'known',
      id: fact.data.id,
      email: fact.data.email,
      name: null,
      password: null,
      operator: null,
      memberships: new Map(),
      invitations: new Map(),
      generation: 0,
    };
  },
};

const getRights = ({
  data,
}: {
  readonly data: { readonly role: MemberRole; readonly environments: readonly Environment[] };
}): Pick<Membership, 'role' | 'environments'> => ({
  role: data.role,
  environments: data.environments,
});

const toInvitation = ({
  data,
  at,
}: Extract<MemberFact, { type: 'member.invited' }> & { at: Instant }): [string, Invitation] => [
  data.invitation_id,
  {
    id: data.invitation_id,
    tenantId: data.tenant_id,
    role: data.role,
    environments: data.environments,
    tokenSha256: data.token_sha256,
    createdAt: at,
    expiresAt: data.expires_at,
  },
];

const setEntry = <V>(map: ReadonlyMap<string, V>, key: string, value: V): ReadonlyMap<string, V> =>
  new Map([...map, [key, value]]);

const removeEntry = <V>(map: ReadonlyMap<string, V>, key: string | null): ReadonlyMap<string, V> =>
  new Map([...map].filter(([each]) => each !== key));

/** Opens an account without a password for a person who has none. */
export const registerPerson =
  ({ id, email }: { readonly id: string; readonly email: string }) =>
  (person: Person): MemberFact[] =>
    person.status === 'known' ? [] : [{ type: 'member.registered', data: { id, email } }];

export interface NewInvitation extends Omit<Invitation, 'createdAt'> {
  /** The data of `member.registered`, used if the person has no account yet. */
  readonly person: { readonly id: string; readonly email: string };
}

/** Invites a person. A new invitation to the same tenant replaces the open one. */
export const invitePerson =
  (draft: NewInvitation) =>
  (person: Person): MemberFact[] => {
    if (person.status === 'known' && person.memberships.has(draft.tenantId)) {
      throw new DomainError('already_member', 'This person is a member of the tenant already.', {
        param: 'email',
      });
    }
    return [
      ...registerPerson(draft.person)(person),
      ...listOpenInvitations(person, draft.tenantId).map(createRevocation),
      {
        type: 'member.invited',
        data: {
          invitation_id: draft.id,
          tenant_id: draft.tenantId,
          role: draft.role,
          environments: [...draft.environments],
          token_sha256: draft.tokenSha256,
          expires_at: draft.expiresAt,
        },
      },
    ];
  };

const listOpenInvitations = (person: Person, tenantId: string): Invitation[] =>
  person.status === 'absent'
    ? []
    : [...person.invitations.values()].filter((each) => each.tenantId === tenantId);

const createRevocation = ({ id, tenantId }: Invitation): MemberFact => ({
  type: 'member.invitation_revoked',
  data: { invitation_id: id, tenant_id: tenantId },
});

export const revokeInvitation =
  (tenantId: string, invitationId: string) =>
  (person: Person): MemberFact[] =>
    listOpenInvitations(person, tenantId)
      .filter(({ id }) => id === invitationId)
      .map(createRevocation);

/** Returns the invitation of a token, or throws if it was used, revoked or has expired. */
export const requireInvitation = (
  person: Person | undefined,
  tokenSha256: string,
  now: Instant,
): Invitation => {
  const open = person?.status === 'known' ? [...person.invitations.values()] : [];
  const found = open.find((each) => each.tokenSha256 === tokenSha256);
  if (found !== undefined && found.expiresAt > now) return found;
  throw new DomainError(
    'invitation_spent',
    'The invitation was used, revoked or is too old. Ask for another one.',
  );
};

export interface Acceptance {
  readonly tokenSha256: string;
  /** Sealed name and password. Null keeps the current value. */
  readonly name: string | null;
  readonly password: string | null;
}

export const acceptInvitation =
  ({ tokenSha256, name, password }: Acceptance, now: Instant) =>
  (person: Person): MemberFact[] => {
    const { id, tenantId, role, environments } = requireInvitation(person, tokenSha256, now);
    return [
      ...(name === null ? [] : [{ type: 'member.named' as const, data: { name } }]),
      ...(password === null ? [] : [setPassword(password)]),
      {
        type: 'member.joined',
        data: { tenant_id: tenantId, role, environments: [...environments], invitation_id: id },
      },
    ];
  };

/** The data of an identity provider about a person who has just signed in with it. */
export interface ProviderIdentity {
  readonly id: string;
  /** E-mail address and name, sealed as in the account. */
  readonly email: string;
  readonly name: string | null;
  /** Null if the provider does not assign roles. */
  readonly roles: ProviderRoles | null;
}

export interface ProviderRoles {
  readonly operator: OperatorRole | null;
  /** Roles by tenant. */
  readonly tenants: ReadonlyMap<string, MemberRole>;
}

/**
 * Signs a person in by a provider that has verified the address. Opens the account, accepts the
 * open invitations, and sets the roles that the provider names. The provider cannot remove a
 * membership that came by an invitation.
 */
export const signInByProvider =
  (identity: ProviderIdentity, now: Instant) =>
  (person: Person): MemberFact[] => {
    const opened = registerPerson(identity)(person);
    const known = person.status === 'known' ? person : null;
    const named: MemberFact[] =
      identity.name === null || known?.name != null
        ? []
        : [{ type: 'member.named', data: { name: identity.name } }];
    const invited = [...(known?.invitations.values() ?? [])].filter(
      ({ expiresAt }) => expiresAt > now,
    );
    const joined = invited.map(({ id, tenantId, role, environments }) =>
      createJoined({ tenantId, role, environments, invitationId: id }),
    );
    const joinedTo = new Set(invited.map(({ tenantId }) => tenantId));
    return [...opened, ...named, ...joined, ...createRoleFacts(known, identity.roles, joinedTo)];
  };

const createJoined = ({
  tenantId,
  role,
  environments,
  invitationId,
}: RoleChange & { readonly invitationId: string | null }): MemberFact => ({
  type: 'member.joined',
  data: {
    tenant_id: tenantId,
    role,
    environments: [...environments],
    invitation_id: invitationId,
  },
});

const createRoleFacts = (
  person: KnownPerson | null,
  roles: ProviderRoles | null,
  joinedTo: ReadonlySet<string>,
): MemberFact[] => {
  if (roles === null) return [];
  const memberships = person?.memberships ?? new Map<string, Membership>();
  const given = [...roles.tenants].flatMap(([tenantId, role]): MemberFact[] => {
    const before = memberships.get(tenantId);
    if (before === undefined) {
      const isNew = !joinedTo.has(tenantId);
      const change = { tenantId, role, environments: ENVIRONMENTS };
      return isNew ? [createJoined({ ...change, invitationId: null })] : [];
    }
    if (!before.isFromProvider || before.role === role) return [];
    const data = { tenant_id: tenantId, role, environments: [...before.environments] };
    return [{ type: 'member.role_changed', data }];
  });
  const taken = [...memberships]
    .filter(([tenantId, { isFromProvider }]) => isFromProvider && !roles.tenants.has(tenantId))
    .map(([tenantId]): MemberFact => ({ type: 'member.removed', data: { tenant_id: tenantId } }));
  const operator: MemberFact[] =
    (person?.operator ?? null) === roles.operator
      ? []
      : [{ type: 'member.operator_role_set', data: { role: roles.operator } }];
  return [...given, ...taken, ...operator];
};

export const setPassword = (password: string): MemberFact => ({
  type: 'member.password_set',
  data: { password },
});

export interface Rights {
  readonly role: MemberRole;
  readonly environments: readonly Environment[];
}

/** True for an owner who can manage everything and give others rights in both environments. */
export const isFullOwner = (rights: Rights | null): boolean =>
  rights?.role === 'owner' && ENVIRONMENTS.every((each) => rights.environments.includes(each));

export interface RoleChange extends Rights {
  readonly tenantId: string;
}

/**
 * Changes the rights of a member. Repeating the same rights changes nothing and ends no session.
 */
export const changeRole =
  ({ tenantId, role, environments }: RoleChange) =>
  (person: Person): MemberFact[] => {
    const membership = requireMembership(person, tenantId);
    const isSame = membership.role === role && isSameSet(membership.environments, environments);
    if (isSame) return [];
    return [
      {
        type: 'member.role_changed',
        data: { tenant_id: tenantId, role, environments: [...environments] },
      },
    ];
  };

export const removeMember =
  (tenantId: string) =>
  (person: Person): MemberFact[] => {
    requireMembership(person, tenantId);
    return [{ type: 'member.removed', data: { tenant_id: tenantId } }];
  };

/** Ends the membership and the invitations of a tenant, if the person has any. */
export const leaveTenant =
  (tenantId: string) =>
  (person: Person): MemberFact[] => [
    ...listOpenInvitations(person, tenantId).map(createRevocation),
    ...(person.status === 'known' && person.memberships.has(tenantId)
      ? removeMember(tenantId)(person)
      : []),
  ];

export const requireMembership = (person: Person | undefined, tenantId: string): Membership => {
  const found = person?.status === 'known' ? person.memberships.get(tenantId) : undefined;
  if (found === undefined) throw notFound('member', 'memberId');
  return found;
};

const isSameSet = (some: readonly string[], others: readonly string[]): boolean =>
  some.length === others.length && some.every((each) => others.includes(each));
