import { Courtesy } from './courtesy';

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
  it('holds nobody back while there is nothing live', async () => {
    expect(await turnsIn(new Courtesy(() => Infinity), 50)).toBeGreaterThan(100);
  });

  it('lets them take one step at a time while live deliveries go on', async () => {
    const courtesy = new Courtesy(() => 0);
    const turns = await Promise.all([turnsIn(courtesy, 300), turnsIn(courtesy, 300)]);
    expect(turns[0] + turns[1]).toBeGreaterThanOrEqual(6);
    expect(turns[0] + turns[1]).toBeLessThanOrEqual(32);
  });

  it('lets them take a few at a time in a lull', async () => {
    const turns = await turnsIn(new Courtesy(() => 500), 300);
    expect(turns).toBeGreaterThan(40);
    expect(turns).toBeLessThan(700);
  });

  it('lets them go on, slowly, where the process is never idle', async () => {
    const stop = keepBusy();
    const turns = await turnsIn(new Courtesy(() => 0), 500);
    stop();
    expect(turns).toBeGreaterThanOrEqual(2);
    expect(turns).toBeLessThanOrEqual(11);
  });
});

/** The event loop has something to do at every moment. */
const keepBusy = (): (() => void) => {
  let busy = true;
  const spin = (): void => {
    if (busy) setImmediate(spin);
  };
  spin();
  return () => {
    busy = false;
  };
};
