import { type Static, Type } from '@sinclair/typebox';
import { Moment, nullable, oneOf } from '../../domain/schema/fields';
import { MEMBER_ROLES, OPERATOR_ROLES } from '../../domain/members/member.roles';
import { Choice, ChoiceList, Email, Id, Int, Text } from '../../http/fields/fields';
import { SchemaRules } from '../../http/fields/schema-rules';
import { findSecret } from '../../http/pipeline/presentation';
import { type Environment, ENVIRONMENTS } from '../../kernel/scope';
import { CONTROL_CHARACTERS } from '../../kernel/text';
import { PASSWORD_CHARS_MAX, PASSWORD_CHARS_MIN } from './passwords';
import { SESSION_SECONDS_MAX } from './session.store';

const TOKEN_CHARS_MAX = 200;
const ACCESS_SECONDS_MIN = 60;
const HTTPS_ADDRESS = new RegExp(`^https://[A-Za-z0-9][^\\s${CONTROL_CHARACTERS}]*$`);

export const PersonSchema = Type.Object({
  id: nullable(
    Type.String({ description: 'The id of the person; null if a one-time link signed in.' }),
  ),
  email: nullable(Type.String()),
  name: nullable(Type.String()),
});

export const TenantSchema = Type.Object({ id: Type.String(), name: Type.String() });

export const SessionView = Type.Object(
  {
    session_id: Type.String({
      description: 'The id of the session, as in lists of sessions.',
    }),
    person: PersonSchema,
    expires_at: Type.Unsafe<Static<typeof Moment>>({
      ...Moment,
      description: 'When the session ends if it is not used; using it moves this moment.',
    }),
    memberships: Type.Array(
      Type.Object({
        tenant: TenantSchema,
        role: oneOf(MEMBER_ROLES),
        scopes: Type.Object({
          live: Type.Array(Type.String()),
          test: Type.Array(Type.String()),
        }),
        suspended_at: nullable(
          Type.Unsafe<Static<typeof Moment>>({
            ...Moment,
            description:
              'When the operator suspended the tenant; null if it is not suspended. The person may do nothing in a suspended tenant.',
          }),
        ),
        return_url: nullable(
          Type.String({
            description:
              'The page of the platform that placed the link to this dashboard; null without one.',
          }),
        ),
      }),
      { description: 'The tenants that the person works for, with the scopes of the role.' },
    ),
    operator: nullable(
      Type.Object(
        { role: oneOf(OPERATOR_ROLES) },
        { description: 'The role of the person for all tenants; null without one.' },
      ),
    ),
  },
  { title: 'ConsoleSession' },
);
export type SessionView = Static<typeof SessionView>;

export const SignInOptions = Type.Object(
  {
    password: Type.Boolean({ description: 'Whether people sign in with a password.' }),
    oidc: nullable(
      Type.Object(
        { name: Type.String({ description: 'The host of the provider.' }) },
        { description: 'The identity provider; null if none is configured.' },
      ),
    ),
    secure: Type.Boolean({ description: 'Whether the connection is encrypted.' }),
    https_needed: Type.Boolean({
      description:
        'True if signing in is impossible because browsers would not keep the cookie without HTTPS.',
    }),
  },
  { title: 'SignInOptions' },
);
export type SignInOptions = Static<typeof SignInOptions>;

export class SignInBody {
  @Email({ example: 'ada@example.com' })
  readonly email!: string;

  @Text({ max: PASSWORD_CHARS_MAX, example: 'correct horse battery staple' })
  readonly password!: string;
}

export class StartOidcQuery {
  @Text({ optional: true, max: 500, description: 'The page of the console to come back to.' })
  readonly return_to?: string;
}

const OIDC_CHARS_MAX = 4_000;

/** The parameters that providers send. The sign-in reads them from the raw URL. */
export class OidcCallbackQuery {
  @Text({
    optional: true,
    max: OIDC_CHARS_MAX,
    description: 'The authorization code of the identity provider.',
  })
  readonly code?: string;

  @Text({
    optional: true,
    max: OIDC_CHARS_MAX,
    description: 'The `state` that was sent when the sign-in began.',
  })
  readonly state?: string;

  @Text({ optional: true, max: OIDC_CHARS_MAX, description: 'The issuer of the code.' })
  readonly iss?: string;

  @Text({ optional: true, max: OIDC_CHARS_MAX, description: 'The session at the provider.' })
  readonly session_state?: string;

  @Text({ optional: true, max: OIDC_CHARS_MAX, description: 'The scopes that were given.' })
  readonly scope?: string;

  @Text({
    optional: true,
    max: OIDC_CHARS_MAX,
    description: 'The error code of the identity provider.',
  })
  readonly error?: string;

  @Text({ optional: true, max: OIDC_CHARS_MAX, description: 'The text of that error.' })
  readonly error_description?: string;

  @Text({ optional: true, max: OIDC_CHARS_MAX, description: 'A page about that error.' })
  readonly error_uri?: string;

  @Text({ optional: true, max: OIDC_CHARS_MAX, description: 'The account, as Google sends it.' })
  readonly authuser?: string;

  @Text({ optional: true, max: OIDC_CHARS_MAX, description: 'The domain, as Google sends it.' })
  readonly hd?: string;

  @Text({ optional: true, max: OIDC_CHARS_MAX, description: 'The consent, as Google sends it.' })
  readonly prompt?: string;
}

export class LinkTokenBody {
  @Text({
    max: TOKEN_CHARS_MAX,
    example: 'Zk3yB1Vx0mPq7sT9uWcDeFgHiJkLmNoPqRsTuVwXyZ0',
    description: 'The part of the link after the #.',
  })
  readonly token!: string;
}

export class ChangePasswordBody {
  @Text({
    max: PASSWORD_CHARS_MAX,
    optional: true,
    description: 'The present password; omit it if none was set.',
  })
  readonly current?: string;

  @Text({
    min: PASSWORD_CHARS_MIN,
    max: PASSWORD_CHARS_MAX,
    example: 'correct horse battery staple',
    description: 'The new password. All other sessions of the person end.',
  })
  readonly new!: string;
}

@SchemaRules({
  oneOf: [
    {
      required: ['tenant_id'],
      properties: { role: { enum: [...MEMBER_ROLES], description: 'A role of members.' } },
    },
    {
      not: { required: ['tenant_id'] },
      properties: { role: { enum: [...OPERATOR_ROLES], description: 'A role of operators.' } },
    },
  ],
})
export class MakeConsoleLinkBody {
  @Id({
    optional: true,
    description: 'The tenant that the link opens. Default: the console of operators.',
  })
  readonly tenant_id?: string;

  @Choice([...MEMBER_ROLES, ...OPERATOR_ROLES], {
    optional: true,
    description:
      'With `tenant_id` a role of members (default `owner`), otherwise a role of operators (default `operator`).',
  })
  readonly role?: (typeof MEMBER_ROLES)[number] | (typeof OPERATOR_ROLES)[number];
}

export class MakeDashboardLinkBody {
  @Choice(MEMBER_ROLES, { example: 'developer', description: 'What the visitor may do.' })
  readonly role!: (typeof MEMBER_ROLES)[number];

  @ChoiceList(ENVIRONMENTS, { optional: true, min: 1, description: 'Default: both.' })
  readonly environments?: Environment[];

  @Int({
    min: ACCESS_SECONDS_MIN,
    max: SESSION_SECONDS_MAX,
    example: 3_600,
    description: 'How long the visitor stays signed in, in seconds.',
  })
  readonly expires_in!: number;

  @Text({
    optional: true,
    max: 2_000,
    format: 'uri',
    shownPattern: HTTPS_ADDRESS,
    example: 'https://app.example.com/settings',
    description:
      'The address of your page to which each page of the dashboard leads back; it begins with https://.',
  })
  readonly return_url?: string;
}

export const ConsoleLink = Type.Object(
  {
    url: findSecret(
      Type.String({
        description: 'The link. It signs in once, within ten minutes, and is shown this once.',
      }),
    ),
    expires_at: Type.Unsafe<Static<typeof Moment>>({
      ...Moment,
      description: 'When the link expires.',
    }),
  },
  { title: 'ConsoleLink' },
);
export type ConsoleLink = Static<typeof ConsoleLink>;
