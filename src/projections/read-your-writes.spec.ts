import type { Projector } from './projector';
import { ReadYourWrites } from './read-your-writes';

/** Another process projects; what its checkpoint says is looked up. */
const elsewhere = (look: (looks: number) => bigint) => {
  let position = -1n;
  let looks = 0;
  const projector = {
    projectedTo: () => position,
    isOwner: () => false,
    look: async () => {
      looks += 1;
      position = await Promise.resolve(look(looks));
    },
  } as unknown as Projector;
  return { freshness: new ReadYourWrites(projector), looks: () => looks };
};

describe('reads that wait for another process to project', () => {
  it('look together how far it is', async () => {
    const { freshness, looks } = elsewhere((count) => BigInt(count));
    const reads = Array.from({ length: 100 }, () => freshness.reached(5n, 10_000));
    expect(await Promise.all(reads)).toEqual(reads.map(() => true));
    expect(looks()).toBe(5);
  });

  it('give up one by one', async () => {
    const { freshness, looks } = elsewhere((count) => BigInt(count));
    const [patient, impatient] = [freshness.reached(10n, 10_000), freshness.reached(10n, 1)];
    expect(await impatient).toBe(false);
    expect(looks()).toBeLessThan(10);
    expect(await patient).toBe(true);
  });

  it('all learn that it cannot be told, and the next one looks again', async () => {
    const { freshness } = elsewhere((count) => {
      if (count === 1) throw new Error('no database');
      return 5n;
    });
    const reads = [freshness.reached(5n, 10_000), freshness.reached(5n, 10_000)];
    for (const read of reads) await expect(read).rejects.toThrow('no database');
    expect(await freshness.reached(5n, 10_000)).toBe(true);
  });
});
