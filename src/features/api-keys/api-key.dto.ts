import { type Static, Type } from '@sinclair/typebox';
import { findSecret } from '../../http/pipeline/presentation';
import { Choice, Line, Moment as MomentField, Num } from '../../http/fields/fields';
import { TextList, TextOrList } from '../../http/fields/list-fields';
import { SchemaRules } from '../../http/fields/schema-rules';
import { PageParameters, toInstant } from '../../http/lists/list-query';
import {
  ALL_SCOPES,
  isScopeName,
  isScopeOf,
  SCOPE_PRESETS,
  type ScopeName,
} from '../../http/pipeline/scopes';
import { DomainError } from '../../kernel/errors';
import { type Environment, ENVIRONMENTS } from '../../kernel/scope';
import type { Instant } from '../../kernel/time';
import { Moment, nullable, oneOf } from '../../domain/schema/fields';
import { ADDRESS_OR_RANGE, ALLOWED_IPS_MAX, readAllowedIps } from './allowed-ips';
import type { KeyChange, KnownApiKey } from '../../domain/api-keys/api-key.decider';

const OVERLAP_HOURS_MAX = 7 * 24;
/** The names that a key may be created with: presets and single scopes. */
const SCOPE_NAME = new RegExp(`^(${[...Object.keys(SCOPE_PRESETS), ...ALL_SCOPES].join('|')})$`);

/**
 * Returns the JSON Schema rule for the field `scopes` in one environment. The items of a list must
 * be scopes, not presets. A live key is refused the scopes that exist in test environments only,
 * both in a list and as a single text.
 */
const toScopes = (environment: Environment): object => ({
  properties: {
    environment: { const: environment },
    scopes: {
      items: { enum: ALL_SCOPES.filter((scope) => isScopeOf(scope, environment)) },
      ...(environment === 'live'
        ? { not: { enum: ALL_SCOPES.filter((scope) => !isScopeOf(scope, 'live')) } }
        : {}),
    },
  },
});

const EXPIRES_AT = {
  optional: true,
  nullable: true,
  description: 'When it expires: a time in the future; null is never.',
};

const ALLOWED_IPS = {
  itemsMin: 1,
  itemsMax: ALLOWED_IPS_MAX,
  itemPattern: ADDRESS_OR_RANGE,
  itemCharsMax: 64,
  optional: true,
  nullable: true,
};

@SchemaRules({ anyOf: ENVIRONMENTS.map(toScopes) })
export class IssueApiKeyBody {
  @Choice(ENVIRONMENTS, { example: 'test' })
  readonly environment!: Environment;

  @Line({ max: 100, example: 'backend' })
  readonly name!: string;

  @TextOrList({
    itemsMin: 1,
    itemsMax: 100,
    itemPattern: SCOPE_NAME,
    optional: true,
    default: 'full',
    description:
      'Scope names, or the preset `full` or `read_only`. `test_helpers:write` is for test keys only.',
  })
  readonly scopes?: string | string[];

  @MomentField(EXPIRES_AT)
  readonly expires_at?: string | null;

  @TextList({
    ...ALLOWED_IPS,
    description:
      'Addresses and CIDR ranges, IPv4 and IPv6 (`203.0.113.7`, `2001:db8::/32`), that the key may be used from; from elsewhere it is refused with `ip_not_allowed`. Without it the key works from everywhere.',
  })
  readonly allowed_ips?: string[] | null;
}

export class ChangeApiKeyBody {
  @Line({ max: 100, optional: true, example: 'backend' })
  readonly name?: string;

  @MomentField(EXPIRES_AT)
  readonly expires_at?: string | null;

  @TextList({
    ...ALLOWED_IPS,
    description: 'Replaces the whole list. With null the key works from everywhere.',
  })
  readonly allowed_ips?: string[] | null;
}

export class RotateApiKeyBody {
  @Num({
    min: 0,
    max: OVERLAP_HOURS_MAX,
    optional: true,
    default: 24,
    example: 24,
    description:
      'For how many hours the old key still works. Fractions are allowed: 0.5 is 30 minutes; 0 ends the old key at once.',
  })
  readonly overlap_hours?: number;

  @MomentField({
    optional: true,
    nullable: true,
    description:
      'When the new key expires: a time in the future; null, or no value, is never. The end of the old key is not copied.',
  })
  readonly expires_at?: string | null;
}

export class ListApiKeysQuery extends PageParameters {
  @Choice(ENVIRONMENTS, { optional: true })
  readonly environment?: Environment;
}

const apiKeyFields = {
  id: Type.String(),
  tenant_id: Type.String(),
  environment: oneOf(ENVIRONMENTS),
  name: Type.String(),
  scopes: Type.Array(Type.String()),
  last4: Type.String(),
  created_at: Moment,
  expires_at: nullable(Moment),
  revoked_at: nullable(Moment),
  allowed_ips: nullable(
    Type.Array(Type.String({ example: '203.0.113.0/24' }), {
      description:
        'The addresses from which the key may be used; null is everywhere. A rotation keeps them.',
    }),
  ),
  /** The time of the last use, precise to a minute; null if the key was never used. */
  last_used_at: nullable(Moment),
};

export const ApiKeyResource = Type.Object(apiKeyFields, { title: 'ApiKey' });
export type ApiKeyResource = Static<typeof ApiKeyResource>;

/** A key in the only response that contains its full text, as `key`. */
export const IssuedApiKeyResource = Type.Object(
  { ...apiKeyFields, key: findSecret(Type.String()) },
  { title: 'IssuedApiKey' },
);
export type IssuedApiKeyResource = Static<typeof IssuedApiKeyResource>;

export const viewApiKey = (key: KnownApiKey, lastUsedAt: Instant | null): ApiKeyResource => ({
  id: key.id,
  tenant_id: key.tenantId,
  environment: key.environment,
  name: key.name,
  scopes: [...key.scopes],
  last4: key.last4,
  created_at: key.createdAt,
  expires_at: key.expiresAt,
  revoked_at: key.revokedAt,
  allowed_ips: key.allowedIps === null ? null : [...key.allowedIps],
  last_used_at: lastUsedAt,
});

/**
 * Returns the scopes that a request asks for. A preset stands for those of its scopes that exist in
 * the environment.
 */
export const expandScopes = ({ environment, scopes = 'full' }: IssueApiKeyBody): ScopeName[] => {
  if (scopes === 'full' || scopes === 'read_only') {
    return SCOPE_PRESETS[scopes].filter((scope) => isScopeOf(scope, environment));
  }
  const names = [...new Set(typeof scopes === 'string' ? [scopes] : scopes)];
  return names.map((name) => {
    if (!isScopeName(name))
      throw invalidScopeError(
        name,
        `scopes must be the text "full" or the text "read_only" alone, or a list of ${ALL_SCOPES.join(', ')}.`,
      );
    if (!isScopeOf(name, environment))
      throw invalidScopeError(
        name,
        `scopes of a live key must not have ${name}: only test keys have it.`,
      );
    return name;
  });
};

const invalidScopeError = (scope: string, message: string): DomainError =>
  new DomainError('parameter_invalid', message, { param: 'scopes', details: { value: scope } });

/** Returns the time at which the key expires; null if it never does. */
export const readExpiry = (
  { expires_at }: Pick<IssueApiKeyBody, 'expires_at'>,
  now: Instant,
): Instant | null => {
  if (expires_at == null) return null;
  const expiresAt = toInstant(expires_at, 'expires_at');
  if (expiresAt > now) return expiresAt;
  throw new DomainError('parameter_invalid', 'expires_at must be in the future.', {
    param: 'expires_at',
  });
};

/** Returns the changes that a request asks for. Missing fields stay unchanged. */
export const readKeyChange = (body: ChangeApiKeyBody, now: Instant): KeyChange => ({
  ...(body.name === undefined ? {} : { name: body.name }),
  ...(body.expires_at === undefined ? {} : { expiresAt: readExpiry(body, now) }),
  ...(body.allowed_ips === undefined ? {} : { allowedIps: readAllowedIps(body.allowed_ips) }),
});
