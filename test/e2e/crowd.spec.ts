import { Crowd } from '../support/crowd';

/** A short scene without limits on time; `crowd.long.spec.ts` has the whole one, with its limits. */
describe('a healthy tenant beside a crowd of broken receivers', () => {
  let crowd: Crowd;
  beforeAll(async () => {
    crowd = await Crowd.start({ tenants: 3, destinationsEach: 4 });
  });
  afterAll(() => crowd.dispose());

  it('is never refused, also after a restart, and mended receivers get everything in order', async () => {
    expect((await crowd.run(3)).refused).toEqual([]);
    await crowd.service.stop();
    await crowd.service.run();
    expect((await crowd.run(3)).refused).toEqual([]);
    await crowd.mend(60_000);
    expect(crowd.service.warnings).toBeLessThanOrEqual(300);
  }, 120_000);
});
