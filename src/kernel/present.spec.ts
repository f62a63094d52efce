import { requirePresent } from './present';

describe('a value that cannot be missing', () => {
  it('is returned, also if it is empty or zero', () => {
    expect([requirePresent('', 'a text'), requirePresent(0, 'a number')]).toEqual(['', 0]);
  });

  it.each([undefined, null])('is reported by its name if it is %s', (value) => {
    expect(() => requirePresent(value, 'the owner')).toThrow('the owner is missing');
  });
});
