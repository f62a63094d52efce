import fc from 'fast-check';
import { NEAR_ENOUGH, searchRevision } from './search-revision';

/** Positions of a log: each event takes its room, and some of them are gone. */
const log = fc.array(fc.record({ room: fc.integer({ min: 0, max: 500 }), gone: fc.boolean() }), {
  maxLength: 2_000,
  size: 'max',
});

describe('the search for where a window begins in a category stream', () => {
  it('never answers a revision after the first event at the position, nor one far before', async () => {
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
        expect(sought - exact).toBeLessThanOrEqual(NEAR_ENOUGH);
        const careful = await searchRevision(position, positions.length - 1, (revision) =>
          Promise.resolve(events[revision]?.gone === true ? null : (positions[revision] ?? null)),
        );
        expect(careful).toBeLessThanOrEqual(sought);
      }),
    );
  });

  it('looks a dozen times at a million events', async () => {
    let looks = 0;
    const found = await searchRevision(437_111_500n, 999_999, (revision) => {
      looks += 1;
      return Promise.resolve(BigInt(revision) * 1_000n + BigInt(revision % 7) * 90n);
    });
    expect(437_112 - found).toBeLessThanOrEqual(NEAR_ENOUGH);
    expect(looks).toBeLessThanOrEqual(12);
  });

  it('survives a log that grows unevenly', async () => {
    let looks = 0;
    const found = await searchRevision(2n, 999_999, (revision) => {
      looks += 1;
      return Promise.resolve(revision < 900_000 ? 1n : BigInt(revision) ** 3n);
    });
    expect(900_000 - found).toBeLessThanOrEqual(NEAR_ENOUGH);
    expect(looks).toBeLessThanOrEqual(60);
  });
});
