import fc from 'fast-check';
import { flawOf } from './raw-input';

const nested = (levels: number): unknown =>
  Array.from({ length: levels }).reduce<unknown>((inner) => ({ a: inner }), 1);

describe('what comes from outside', () => {
  it.each([
    ['NUL', { tags: ['a', 'b\u0000'] }, ['tags[1]', 'parameter_invalid']],
    ['a lone surrogate', { email: '\ud800' }, ['email', 'parameter_invalid']],
    ['NUL in a name', { metadata: { 'a\u0000': 1 } }, ['metadata', 'parameter_invalid']],
    [
      'a number beyond any',
      { amount: JSON.parse('1e400') as number },
      ['amount', 'parameter_invalid'],
    ],
    ['a name that every object has', { constructor: 1 }, ['constructor', 'parameter_unknown']],
    [
      'such a name inside',
      { metadata: { toString: 'x' } },
      ['metadata.toString', 'parameter_unknown'],
    ],
    ['the prototype', JSON.parse('{"__proto__":1}'), ['__proto__', 'parameter_unknown']],
    ['nesting without end', { metadata: nested(9_000) }, ['metadata', 'parameter_invalid']],
    ['text that is not', '\u0000', ['body', 'parameter_invalid']],
  ])('is refused where it has %s', (_, value, expected) => {
    const flaw = flawOf(value);
    expect([flaw?.param, flaw?.code]).toEqual(expected);
  });

  it('is taken in every other form of JSON', () => {
    const plain = fc.jsonValue({ noUnicodeString: false, maxDepth: 6 }).filter((value) => {
      const text = JSON.stringify(value);
      return !/\\u0000|\\ud[89a-f]|"(__proto__|constructor|toString|valueOf)"/.test(text);
    });
    fc.assert(
      fc.property(plain, (value) => {
        fc.pre(
          !/"(__(define|lookup)[GS]etter__|hasOwn|isPrototypeOf|propertyIs|toLocale)/.test(
            JSON.stringify(value),
          ),
        );
        expect(flawOf(value)).toBeNull();
      }),
    );
  });
});
