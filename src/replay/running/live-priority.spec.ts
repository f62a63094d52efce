import { LivePriority } from './live-priority';

const never = new AbortController().signal;

const turnsIn = async (livePriority: LivePriority, ms: number): Promise<number> => {
  const endMs = performance.now() + ms;
  let turns = 0;
  while (performance.now() < endMs) {
    await livePriority.waitForTurn(never);
    turns += 1;
  }
  return turns;
};

describe('the priority of live deliveries', () => {
  it('does not delay replays without live deliveries', async () => {
    expect(await turnsIn(new LivePriority(() => Infinity), 50)).toBeGreaterThan(100);
  });

  it('admits one replay step at a time while live deliveries are active', async () => {
    const livePriority = new LivePriority(() => 0);
    const turns = await Promise.all([turnsIn(livePriority, 300), turnsIn(livePriority, 300)]);
    // A step waits for at most 50 ms, and longer where the machine is busy.
    expect(turns[0] + turns[1]).toBeGreaterThanOrEqual(2);
    expect(turns[0] + turns[1]).toBeLessThanOrEqual(32);
  });

  it('admits a few replay steps at a time in a lull', async () => {
    const turns = await turnsIn(new LivePriority(() => 500), 300);
    expect(turns).toBeGreaterThan(40);
    expect(turns).toBeLessThan(700);
  });

  it('admits replay steps slowly while the process is never idle', async () => {
    const stop = keepBusy();
    const turns = await turnsIn(new LivePriority(() => 0), 500);
    stop();
    expect(turns).toBeGreaterThanOrEqual(2);
    expect(turns).toBeLessThanOrEqual(11);
  });
});

/** Keeps the event loop busy until the returned function is called. */
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
