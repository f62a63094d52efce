import { type Static, Type } from '@sinclair/typebox';
import {
  MEMBER_ROLES,
  type MemberRole,
  OPERATOR_ROLES,
  type OperatorRole,
} from '../../domain/members/member.roles';
import { Moment, nullable, oneOf } from '../../domain/schema/fields';
import { Choice, ChoiceList, Email, Line, Text } from '../../http/fields/fields';
import { PageParameters } from '../../http/lists/list-query';
import { findSecret } from '../../http/pipeline/presentation';
import { type Environment, ENVIRONMENTS } from '../../kernel/scope';
import { PASSWORD_CHARS_MAX, PASSWORD_CHARS_MIN } from './passwords';
import { PersonSchema, TenantSchema } from './session.dto';

const TOKEN_CHARS_MAX = 200;
const NAME_CHARS_MAX = 100;

const rightFields = {
  role: oneOf(MEMBER_ROLES),
  environments: Type.Array(oneOf(ENVIRONMENTS)),
};

export const MemberResource = Type.Object(
  {
    id: Type.String(),
    email: nullable(Type.String()),
    name: nullable(Type.String()),
    ...rightFields,
    has_password: Type.Boolean({ description: 'Whether the person has set a password.' }),
    joined_at: Moment,
  },
  { title: 'Member' },
);
export type MemberResource = Static<typeof MemberResource>;

const invitationFields = {
  id: Type.String(),
  email: nullable(Type.String()),
  ...rightFields,
  created_at: Moment,
  expires_at: Moment,
};

export const InvitationResource = Type.Object(invitationFields, { title: 'Invitation' });
export type InvitationResource = Static<typeof InvitationResource>;

export const NewInvitationResource = Type.Object(
  {
    ...invitationFields,
    link: findSecret(
      Type.String({
        description: 'The link to give to the person. It works once and is shown this once.',
      }),
    ),
    mailed: Type.Boolean({ description: 'Whether a mail server accepted the invitation.' }),
  },
  { title: 'NewInvitation' },
);
export type NewInvitationResource = Static<typeof NewInvitationResource>;

export const InvitationLookup = Type.Object(
  {
    tenant: TenantSchema,
    email: nullable(Type.String()),
    role: oneOf(MEMBER_ROLES),
    expires_at: Moment,
    has_account: Type.Boolean({
      description: 'Whether the person has a password, which is needed to accept.',
    }),
  },
  { title: 'InvitationLookup' },
);
export type InvitationLookup = Static<typeof InvitationLookup>;

export const SessionItem = Type.Object(
  {
    id: Type.String(),
    person: PersonSchema,
    current: Type.Boolean({ description: 'Whether it is the session of this request.' }),
    role: nullable(
      Type.Unsafe<MemberRole>({
        ...oneOf(MEMBER_ROLES),
        description: 'The role of the session in the tenant; null in the list of operators.',
      }),
    ),
    operator: nullable(
      Type.Unsafe<OperatorRole>({
        ...oneOf(OPERATOR_ROLES),
        description: 'The role of the session for all tenants; null without one.',
      }),
    ),
    created_at: Moment,
    last_seen_at: Moment,
    expires_at: Moment,
    address: nullable(Type.String({ description: 'The address from which the person signed in.' })),
    user_agent: nullable(Type.String({ description: 'The `User-Agent` of the browser.' })),
  },
  { title: 'SessionItem' },
);
export type SessionItem = Static<typeof SessionItem>;

export class ChangeMemberBody {
  @Choice(MEMBER_ROLES, { optional: true, example: 'support' })
  readonly role?: MemberRole;

  @ChoiceList(ENVIRONMENTS, {
    optional: true,
    min: 1,
    description: 'The environments in which the person has the role.',
  })
  readonly environments?: Environment[];
}

export class InviteBody {
  @Email({ example: 'grace@example.com' })
  readonly email!: string;

  @Choice(MEMBER_ROLES, { example: 'developer' })
  readonly role!: MemberRole;

  @ChoiceList(ENVIRONMENTS, {
    optional: true,
    min: 1,
    description: 'Default: those in which the caller has rights. Others are refused.',
  })
  readonly environments?: Environment[];
}

export class AcceptInvitationBody {
  @Text({ max: TOKEN_CHARS_MAX, description: 'The part of the link after the #.' })
  readonly token!: string;

  @Line({ max: NAME_CHARS_MAX, optional: true, example: 'Grace Hopper' })
  readonly name?: string;

  @Text({
    min: PASSWORD_CHARS_MIN,
    max: PASSWORD_CHARS_MAX,
    optional: true,
    description: 'A new password, or the existing one if the person has an account.',
  })
  readonly password?: string;
}

export class ListTeamQuery extends PageParameters {}
