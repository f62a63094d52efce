import { Courtesy, nextRate } from './courtesy';

const never = new AbortController().signal;

const turnsIn = async (courtesy: Courtesy, ms: number): Promise<number> => {
  const endMs = performance.now() + ms;
  let turns = 0;
  while (performance.now() < endMs) {
    await courtesy.turn(never);
    turns += 1;
  }
  return turns;
};

describe('the courtesy of replays', () => {
  it('gives way where the process is busy, and comes back slowly', () => {
    expect(nextRate(400, 0.9)).toBe(200);
    expect(nextRate(400, 0.2)).toBe(410);
    expect(nextRate(20, 1)).toBe(20);
    expect(nextRate(2_000, 0)).toBe(2_000);
  });

  it('holds nobody back while there is nothing live', async () => {
    expect(await turnsIn(new Courtesy(() => Infinity), 50)).toBeGreaterThan(100);
  });

  it('paces them while live deliveries go on', async () => {
    expect(await turnsIn(new Courtesy(() => 0), 100)).toBeLessThan(20);
  });
});
