import { Crowd } from '../support/crowd';

const SECONDS = 15;
/** The first seconds of a process, in which its code is compiled, are measured after the restart. */
const WARM_UP_SECONDS = 5;

/**
 * The load has twelve tenants with ten broken destinations each, and 40 events a second for them.
 */
describe('a healthy tenant beside 120 broken receivers', () => {
  let crowd: Crowd;
  beforeAll(async () => {
    crowd = await Crowd.start({ tenants: 12, destinationsEach: 10 });
  }, 300_000);
  afterAll(() => crowd.dispose());

  it('is never refused and waits little, before and after a restart, and all events arrive', async () => {
    await crowd.run(WARM_UP_SECONDS);
    const before = await crowd.run(SECONDS);
    await crowd.service.stop();
    await crowd.service.run();
    const after = await crowd.run(SECONDS);
    const { warnings } = crowd.service;
    process.stderr.write(`${JSON.stringify({ before, after, warnings })}\n`);
    await crowd.repairReceivers(180_000);
    expect([before.refused, after.refused]).toEqual([[], []]);
    expect(warnings).toBeLessThanOrEqual(300);
    expect(before.p99).toBeLessThanOrEqual(250);
    expect(after.p99).toBeLessThanOrEqual(1_000);
  }, 600_000);
});
