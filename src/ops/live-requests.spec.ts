import { LiveRequests } from './live-requests';

describe('background work', () => {
  const stepsTaken = async (live: LiveRequests): Promise<number> => {
    const began = performance.now();
    await Promise.all(Array.from({ length: 20 }, () => live.waitForTurn()));
    return performance.now() - began;
  };

  it('takes one step at a time while live requests are active', async () => {
    const live = new LiveRequests(() => 0);
    live.recordRequest();
    expect(await stepsTaken(live)).toBeGreaterThan(60);
  });

  it('is not delayed without live requests', async () => {
    let nowMs = 0;
    const live = new LiveRequests(() => nowMs);
    live.recordRequest();
    nowMs = 1_000;
    expect(await stepsTaken(live)).toBeLessThan(50);
  });

  it('continues at once when live requests end', async () => {
    let nowMs = 0;
    const live = new LiveRequests(() => nowMs);
    live.recordRequest();
    const began = performance.now();
    const steps = Array.from({ length: 500 }, () => live.waitForTurn());
    nowMs = 1_000;
    await Promise.all(steps);
    expect(performance.now() - began).toBeLessThan(500);
  });
});
