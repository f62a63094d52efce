import fc from 'fast-check';
import { PRECISION, searchRevision } from './search-revision';

/** Positions of a log in which events have different sizes and some events are missing. */
const log = fc.array(fc.record({ room: fc.integer({ min: 0, max: 500 }), gone: fc.boolean() }), {
  maxLength: 2_000,
  size: 'max',
});

describe('the search for the beginning of a window in a category stream', () => {
  it('finds a revision not after the first event at the position and not far before it', async () => {
    await fc.assert(
      fc.asyncProperty(log, fc.double({ min: 0, max: 1.1, noNaN: true }), async (events, share) => {
        let at = 0;
        const positions = events.map(({ room }) => BigInt((at += room)));
        const position = BigInt(Math.floor(share * at));
        const sought = positions.filter((each) => each < position).length;
        const exact = await searchRevision(position, positions.length - 1, (revision) =>
          Promise.resolve(positions[revision] ?? null),
        );
        expect(exact).toBeLessThanOrEqual(sought);
        expect(sought - exact).toBeLessThanOrEqual(PRECISION);
        const careful = await searchRevision(position, positions.length - 1, (revision) =>
          Promise.resolve(events[revision]?.gone === true ? null : (positions[revision] ?? null)),
        );
        expect(careful).toBeLessThanOrEqual(sought);
      }),
    );
  });

  it('needs a dozen reads for a million events', async () => {
    let looks = 0;
    const found = await searchRevision(437_111_500n, 999_999, (revision) => {
      looks += 1;
      return Promise.resolve(BigInt(revision) * 1_000n + BigInt(revision % 7) * 90n);
    });
    expect(437_112 - found).toBeLessThanOrEqual(PRECISION);
    expect(looks).toBeLessThanOrEqual(12);
  });

  it('needs few reads for a log that grows unevenly', async () => {
    let looks = 0;
    const found = await searchRevision(2n, 999_999, (revision) => {
      looks += 1;
      return Promise.resolve(revision < 900_000 ? 1n : BigInt(revision) ** 3n);
    });
    expect(900_000 - found).toBeLessThanOrEqual(PRECISION);
    expect(looks).toBeLessThanOrEqual(60);
  });
});
