import { LiveRequests } from './live-requests';

describe('background work', () => {
  const stepsTaken = async (live: LiveRequests): Promise<number> => {
    const began = performance.now();
    await Promise.all(Array.from({ length: 20 }, () => live.turn()));
    return performance.now() - began;
  };

  it('goes one step at a time while live requests go on', async () => {
    const live = new LiveRequests(() => 0);
    live.note();
    expect(await stepsTaken(live)).toBeGreaterThan(60);
  });

  it('is not held back without live requests', async () => {
    let nowMs = 0;
    const live = new LiveRequests(() => nowMs);
    live.note();
    nowMs = 1_000;
    expect(await stepsTaken(live)).toBeLessThan(50);
  });

  it('goes on at once when the live requests end', async () => {
    let nowMs = 0;
    const live = new LiveRequests(() => nowMs);
    live.note();
    const began = performance.now();
    const steps = Array.from({ length: 500 }, () => live.turn());
    nowMs = 1_000;
    await Promise.all(steps);
    expect(performance.now() - began).toBeLessThan(500);
  });
});
