import type { FactoryProvider } from '@nestjs/common';

/** A class, possibly abstract, that identifies its instance in Nest's container. */
// eslint-disable-next-line @typescript-eslint/no-unsafe-function-type -- a private constructor is no type
type Token<T> = Function & { readonly prototype: T };

type TokensOf<Parts> = { readonly [Name in keyof Parts]: Token<Parts[Name]> };

/** Creates a provider whose constructor takes other providers as parameters. */
export const provide = <Parts extends unknown[], T>(
  type: new (...parts: Parts) => T,
  ...tokens: TokensOf<Parts>
): FactoryProvider<T> => ({
  provide: type,
  inject: [...tokens],
  useFactory: (...parts) => new type(...(parts as Parts)),
});

/** Creates a provider whose constructor takes one object of other providers. */
export const provideWithParts = <Parts extends object, T>(
  type: new (parts: Parts) => T,
  tokens: TokensOf<Parts>,
): FactoryProvider<T> => provideBy(type as Token<T>, tokens, (parts) => new type(parts));

/** Creates a provider by a function that receives other providers by name. */
export const provideBy = <T, Parts extends object>(
  token: Token<T>,
  tokens: TokensOf<Parts>,
  make: (parts: Parts) => T,
): FactoryProvider<T> => {
  const names = Object.keys(tokens) as (keyof Parts & string)[];
  return {
    provide: token,
    inject: names.map((name) => tokens[name]),
    useFactory: (...parts) =>
      make(Object.fromEntries(names.map((name, i) => [name, parts[i]])) as Parts),
  };
};
