import { Exactness } from '../support/exactness';
import { LEFT_OUT, REASONS } from '../support/exactness-rules';
import { Service } from '../support/service';

describe('/openapi.json is exact', () => {
  let service: Service;
  let exactness: Exactness;

  beforeAll(async () => {
    service = await Service.start({ env: { RATE_LIMIT_METRICS: '100000' } });
    exactness = await Exactness.of(service, LEFT_OUT);
  });

  afterAll(() => service.dispose());

  it('what it allows is not refused with 400, but for the listed reasons', async () => {
    const run = {
      seed: Number(process.env['SEED'] ?? 1_001),
      rounds: Number(process.env['ROUNDS'] ?? 4),
    };
    expect(await exactness.refusedThoughAllowed(run, REASONS)).toEqual([]);
  });

  it('what it forbids is never answered with 2xx', async () => {
    const run = {
      seed: Number(process.env['SEED'] ?? 2_002),
      rounds: Number(process.env['ROUNDS'] ?? 4),
    };
    expect(await exactness.takenThoughForbidden(run)).toEqual([]);
  });
});
