import { type TNull, type TSchema, type TUnion, type TUnsafe, Type } from '@sinclair/typebox';
import type { Currency } from '../../kernel/money';
import type { Actor } from '../../kernel/scope';
import type { Instant } from '../../kernel/time';

/** Field schemas of the event catalogue. The PII modes act on the `pii` tags (D-64). */

export const Moment: TUnsafe<Instant> = Type.Unsafe<Instant>({
  type: 'string',
  format: 'date-time',
});
export const CurrencyCode: TUnsafe<Currency> = Type.Unsafe<Currency>({
  type: 'string',
  pattern: '^[A-Z]{3}$',
});

export const Amount = Type.Integer({ description: 'The amount in minor units.' });

/** Free text about or by a person. Receivers without permission get null. */
export const PersonalText = Type.Union([Type.String(), Type.Null()], { pii: 'text' });

export const nullable = <S extends TSchema>(schema: S): TUnion<[S, TNull]> =>
  Type.Union([schema, Type.Null()]);

export const oneOf = <const T extends readonly string[]>(values: T): TUnsafe<T[number]> =>
  Type.Unsafe<T[number]>({ type: 'string', enum: [...values] });

export const ActorField: TUnsafe<Actor> = Type.Unsafe<Actor>({
  ...oneOf<readonly Actor[]>(['api', 'dashboard', 'system', 'motion', 'provider']),
  title: 'Actor',
  description: 'Who caused it: the API, the dashboard, the service, a motion or the provider.',
});

/** Marks a field that is stored for the fold but not published. */
export const markUnpublished = <S extends TSchema>(schema: S): S => ({
  ...schema,
  unpublished: true,
});
