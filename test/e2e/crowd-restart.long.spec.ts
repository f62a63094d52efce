import { Crowd } from '../support/crowd';

/**
 * This suite is short and has no time limits; `crowd.long.spec.ts` has the full load with limits.
 */
describe('a healthy tenant beside a crowd of broken receivers', () => {
  let crowd: Crowd;
  beforeAll(async () => {
    crowd = await Crowd.start({ tenants: 3, destinationsEach: 4 });
  }, 180_000);
  afterAll(() => crowd.dispose());

  it('is never refused, also after a restart, and repaired receivers get all events in order', async () => {
    expect((await crowd.run(3)).refused).toEqual([]);
    await crowd.service.stop();
    await crowd.service.run();
    expect((await crowd.run(3)).refused).toEqual([]);
    await crowd.repairReceivers(60_000);
    expect(crowd.service.warnings).toBeLessThanOrEqual(300);
  }, 120_000);
});
