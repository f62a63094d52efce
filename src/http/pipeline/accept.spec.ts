import { chooseMediaType } from './accept';

const JSON_TYPE = 'application/json';
const PROBLEM = 'application/problem+json';

describe('the media type of an error', () => {
  it.each([
    [undefined, JSON_TYPE],
    ['', JSON_TYPE],
    ['*/*', JSON_TYPE],
    ['application/*', JSON_TYPE],
    ['text/html', JSON_TYPE],
    [PROBLEM, PROBLEM],
    ['APPLICATION/PROBLEM+JSON', PROBLEM],
    [`${PROBLEM}; charset=utf-8`, PROBLEM],
    [`${PROBLEM}, */*`, PROBLEM],
    [`*/*, ${PROBLEM}`, PROBLEM],
    [`${PROBLEM}, ${JSON_TYPE}`, PROBLEM],
    [`${JSON_TYPE}, ${PROBLEM}`, JSON_TYPE],
    [`${JSON_TYPE}, ${PROBLEM};q=0`, JSON_TYPE],
    [`${PROBLEM};q=0, */*`, JSON_TYPE],
    [`${JSON_TYPE};q=0.5, ${PROBLEM};q=0.9`, PROBLEM],
    [`${PROBLEM};Q=0.5, ${JSON_TYPE}`, JSON_TYPE],
    [`${JSON_TYPE};q=0, application/*;q=0.1`, PROBLEM],
    [`${PROBLEM};q=2`, JSON_TYPE],
    [`not a range, ${PROBLEM}`, PROBLEM],
    [`${PROBLEM}x`, JSON_TYPE],
  ])('for "Accept: %s" is %s', (accept, expected) => {
    expect(chooseMediaType(accept, [JSON_TYPE, PROBLEM])).toBe(expected);
  });
});
