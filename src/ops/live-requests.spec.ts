import { LiveRequests } from './live-requests';

const STEPS = 20;

describe('background work', () => {
  const takeSteps = (live: LiveRequests): Promise<unknown> =>
    Promise.all(Array.from({ length: STEPS }, () => live.waitForTurn()));

  /** True if the work waits for no timer, however slow the machine is. */
  const endsAtOnce = (work: Promise<unknown>): Promise<boolean> =>
    Promise.race([
      work.then(() => true),
      new Promise<boolean>((resolve) => {
        setImmediate(() => {
          resolve(false);
        });
      }),
    ]);

  it('takes one step at a time while live requests are active', async () => {
    const live = new LiveRequests(() => 0);
    live.recordRequest();
    const began = performance.now();
    await takeSteps(live);
    expect(performance.now() - began).toBeGreaterThan(60);
  });

  it('is not delayed without live requests', async () => {
    let nowMs = 0;
    const live = new LiveRequests(() => nowMs);
    live.recordRequest();
    nowMs = 1_000;
    expect(await endsAtOnce(takeSteps(live))).toBe(true);
  });

  it('continues at once when live requests end', async () => {
    let nowMs = 0;
    const live = new LiveRequests(() => nowMs);
    live.recordRequest();
    const steps = takeSteps(live);
    nowMs = 1_000;
    expect(await endsAtOnce(steps)).toBe(true);
  });
});
