import fc from 'fast-check';
import { findFlaw } from './raw-input';
import { findSizeFlaw } from './raw-size';

const nested = (levels: number): unknown =>
  Array.from({ length: levels }).reduce<unknown>((inner) => ({ a: inner }), 1);

describe('the size check of a body before it is parsed', () => {
  it.each([
    ['5,000 values', `[${'1,'.repeat(4_998)}1]`, null],
    ['one more', `[${'1,'.repeat(4_999)}1]`, 'body'],
    ['90,000 fields', JSON.stringify(Array(90_000).fill({ a: 1 })), 'body'],
    ['101 levels', `${'['.repeat(101)}${']'.repeat(101)}`, null],
    ['one more level', `${'['.repeat(102)}${']'.repeat(102)}`, 'body'],
    ['separators in a text', JSON.stringify({ a: '[,{'.repeat(9_000) }), null],
    ['separators behind an escaped quote', JSON.stringify({ a: `"${',{'.repeat(9_000)}` }), null],
    ['separators behind an escaped backslash', `{"a":"\\\\"${',1'.repeat(9_000)}}`, 'body'],
    ['no JSON at all', '}}}}"', null],
  ])('decides correctly about a body with %s', (_, text, param) => {
    expect(findSizeFlaw(text)?.param ?? null).toBe(param);
  });
});

describe('the check of parsed input', () => {
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
    [
      'an object of more than 200 fields',
      { metadata: Object.fromEntries(Array.from({ length: 201 }, (_, at) => [`k${at}`, 1])) },
      ['metadata', 'parameter_invalid'],
    ],
    ['a list of more than 500 items', { ids: Array(501).fill(1) }, ['ids', 'parameter_invalid']],
    ['text that is not', '\u0000', ['body', 'parameter_invalid']],
  ])('refuses input with %s', (_, value, expected) => {
    const flaw = findFlaw(value);
    expect([flaw?.param, flaw?.code]).toEqual(expected);
  });

  it('accepts every other form of JSON', () => {
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
        expect(findFlaw(value)).toBeNull();
      }),
    );
  });
});
