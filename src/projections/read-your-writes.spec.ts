import type { Projector } from './projector';
import { ReadYourWrites } from './read-your-writes';

/** A fake projector of a process that does not own the checkpoint and reads it. */
const elsewhere = (look: (looks: number) => bigint) => {
  let position = -1n;
  let looks = 0;
  const projector = {
    projectedTo: () => position,
    isOwner: () => false,
    refreshCheckpoint: async () => {
      looks += 1;
      position = await Promise.resolve(look(looks));
    },
  } as unknown as Projector;
  return { freshness: new ReadYourWrites(projector), looks: () => looks };
};

describe('reads that wait for another process to project', () => {
  it('share one read of the checkpoint', async () => {
    const { freshness, looks } = elsewhere((count) => BigInt(count));
    const reads = Array.from({ length: 100 }, () => freshness.waitUntilReached(5n, 10_000));
    expect(await Promise.all(reads)).toEqual(reads.map(() => true));
    expect(looks()).toBe(5);
  });

  it('time out one by one', async () => {
    const { freshness, looks } = elsewhere((count) => BigInt(count));
    const [patient, impatient] = [
      freshness.waitUntilReached(10n, 10_000),
      freshness.waitUntilReached(10n, 1),
    ];
    expect(await impatient).toBe(false);
    expect(looks()).toBeLessThan(10);
    expect(await patient).toBe(true);
  });

  it('all fail if the checkpoint cannot be read, and the next one reads it again', async () => {
    const { freshness } = elsewhere((count) => {
      if (count === 1) throw new Error('no database');
      return 5n;
    });
    const reads = [freshness.waitUntilReached(5n, 10_000), freshness.waitUntilReached(5n, 10_000)];
    for (const read of reads) await expect(read).rejects.toThrow('no database');
    expect(await freshness.waitUntilReached(5n, 10_000)).toBe(true);
  });
});
