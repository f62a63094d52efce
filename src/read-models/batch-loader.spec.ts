import { BatchLoader } from './batch-loader';

describe('a batch loader', () => {
  it('combines questions that arrive during a query and gives each its own answer', async () => {
    const asked: number[][] = [];
    const doubled = new BatchLoader<number, number>((questions) => {
      asked.push([...questions]);
      return Promise.resolve(questions.map((n) => 2 * n));
    });
    const first = Promise.all([doubled.load(1), doubled.load(2)]);
    expect(await first).toEqual([2, 4]);
    expect(await doubled.load(3)).toBe(6);
    expect(asked).toEqual([[1, 2], [3]]);
  });

  it('fails all questions of a failed query and still asks the next ones', async () => {
    let broken = true;
    const fragile = new BatchLoader<number, number>((questions) =>
      broken ? Promise.reject(new Error('away')) : Promise.resolve([...questions]),
    );
    const results = await Promise.allSettled([fragile.load(1), fragile.load(2)]);
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    broken = false;
    expect(await fragile.load(3)).toBe(3);
  });

  it('asks a limited number of questions in one query', async () => {
    const sizes: number[] = [];
    const counted = new BatchLoader<number, number>((questions) => {
      sizes.push(questions.length);
      return Promise.resolve([...questions]);
    });
    const all = Array.from({ length: 450 }, (_, n) => n);
    expect(await Promise.all(all.map((n) => counted.load(n)))).toEqual(all);
    expect(sizes).toEqual([200, 200, 50]);
  });
});
