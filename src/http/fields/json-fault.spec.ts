import fc from 'fast-check';
import { describeJsonFault, findJsonFault } from './json-fault';

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

describe('the fault of a text that is not JSON', () => {
  it.each([
    ['{"a": 1,}', 'line 1, column 9'],
    ['{"a": 1\n "b": 2}', 'line 2, column 2'],
    ['{\r\n  "a": \'x\'}', 'line 2, column 8'],
    ['{"a": undefined}', 'line 1, column 7'],
    ['{a: 1}', 'line 1, column 2'],
    ['["\\x"]', 'line 1, column 4'],
    ['[01]', 'line 1, column 3'],
    ['[] []', 'line 1, column 4'],
    ['["two\nlines"]', 'line 1, column 6'],
    ['{"a": "secret', 'it ends too early, at line 1, column 14'],
    ['[1,\n', 'it ends too early, at line 2, column 1'],
    ['', 'it ends too early, at line 1, column 1'],
  ])('of %j is at %s', (text, place) => {
    expect(describeJsonFault(text)).toBe(place);
  });

  it('is the first level that is too deep to be read', () => {
    expect(describeJsonFault('['.repeat(100_000))).toBe('line 1, column 1001');
  });

  it('exists exactly if the parser refuses the text, and everything before it can be continued', () => {
    const damaged = fc
      .tuple(fc.json(), fc.nat(), fc.constantFrom('', ',', '"', '}', '\\', '1', '\n', 'e'))
      .map(([text, seed, char]) => {
        const at = seed % (text.length + 1);
        return text.slice(0, at) + char + text.slice(at + (char === '' ? 1 : 0));
      });
    fc.assert(
      fc.property(damaged, (text) => {
        const at = findJsonFault(text);
        expect([text, at === null]).toEqual([text, isJson(text)]);
        // The text before the fault has no fault but its end.
        if (at !== null) expect(findJsonFault(text.slice(0, at)) ?? at).toBe(at);
      }),
      { numRuns: 500 },
    );
  });
});
