import fc from 'fast-check';
import { formatTraceparent, parseTraceparent } from './trace';

const VALID = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';

describe('a traceparent', () => {
  it('is parsed and formatted back unchanged', () => {
    const context = parseTraceparent(VALID);
    expect(context).toEqual({
      traceId: '4bf92f3577b34da6a3ce929d0e0e4736',
      parentId: '00f067aa0ba902b7',
      isSampled: true,
    });
    expect(context && formatTraceparent(context)).toBe(VALID);
  });

  it.each([
    ['in upper case', VALID.toUpperCase()],
    ['of version ff', VALID.replace(/^00/, 'ff')],
    ['of version 00 with a fifth field', `${VALID}-x`],
    ['with a trace id of zeros', `00-${'0'.repeat(32)}-00f067aa0ba902b7-01`],
    ['with a parent id of zeros', `00-4bf92f3577b34da6a3ce929d0e0e4736-${'0'.repeat(16)}-01`],
    ['that is missing', undefined],
    ['that comes twice', [VALID, VALID]],
  ])('%s is ignored', (_, text) => {
    expect(parseTraceparent(text)).toBeNull();
  });

  it('of a later version may have more fields', () => {
    expect(parseTraceparent(`${VALID.replace(/^00/, '01')}-more`)).not.toBeNull();
  });

  it('never throws for any header', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        parseTraceparent(text);
      }),
    );
  });
});
