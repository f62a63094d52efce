import type { FactoryProvider } from '@nestjs/common';

/** A class, abstract or not, that stands for its instances in Nest's container. */
// eslint-disable-next-line @typescript-eslint/no-unsafe-function-type -- a private constructor is no type
type Token<T> = Function & { readonly prototype: T };

type TokensOf<Parts> = { readonly [Name in keyof Parts]: Token<Parts[Name]> };

/** A provider built by its constructor from other providers, in the order of its parameters. */
export const provide = <Parts extends unknown[], T>(
  type: new (...parts: Parts) => T,
  ...tokens: TokensOf<Parts>
): FactoryProvider<T> => ({
  provide: type,
  inject: [...tokens],
  useFactory: (...parts) => new type(...(parts as Parts)),
});

/** A provider built by its constructor from one object whose members are other providers. */
export const provideWithParts = <Parts extends object, T>(
  type: new (parts: Parts) => T,
  tokens: TokensOf<Parts>,
): FactoryProvider<T> => provideBy(type as Token<T>, tokens, (parts) => new type(parts));

/** A provider made by a function of other providers, which it receives by name. */
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
