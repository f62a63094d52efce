import { Together } from './together';

describe('questions', () => {
  it('that come while others are answered are asked together, and each gets its own answer', async () => {
    const asked: number[][] = [];
    const doubled = new Together<number, number>((questions) => {
      asked.push([...questions]);
      return Promise.resolve(questions.map((n) => 2 * n));
    });
    const first = Promise.all([doubled.load(1), doubled.load(2)]);
    expect(await first).toEqual([2, 4]);
    expect(await doubled.load(3)).toBe(6);
    expect(asked).toEqual([[1, 2], [3]]);
  });

  it('fail together, and the next ones are asked all the same', async () => {
    let broken = true;
    const fragile = new Together<number, number>((questions) =>
      broken ? Promise.reject(new Error('away')) : Promise.resolve([...questions]),
    );
    const results = await Promise.allSettled([fragile.load(1), fragile.load(2)]);
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    broken = false;
    expect(await fragile.load(3)).toBe(3);
  });

  it('are asked by the hundreds at most', async () => {
    const sizes: number[] = [];
    const counted = new Together<number, number>((questions) => {
      sizes.push(questions.length);
      return Promise.resolve([...questions]);
    });
    const all = Array.from({ length: 450 }, (_, n) => n);
    expect(await Promise.all(all.map((n) => counted.load(n)))).toEqual(all);
    expect(sizes).toEqual([200, 200, 50]);
  });
});
