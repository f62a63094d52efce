import { ContractChecker } from '../support/exactness';
import { LEFT_OUT, REASONS } from '../support/exactness-rules';
import { Service } from '../support/service';

/** The number of requests to each operation in each direction. */
const ROUNDS = Number(process.env['EXACTNESS_ROUNDS'] ?? 40);
const SEED = Number(process.env['EXACTNESS_SEED'] ?? 1_001);
const WAIT_LIMIT_MS = 3_600_000;

describe('/openapi.json is exact', () => {
  let service: Service;
  let checker: ContractChecker;

  beforeAll(async () => {
    service = await Service.start({ env: { RATE_LIMIT_METRICS: '100000' } });
    checker = await ContractChecker.create(service, LEFT_OUT);
  }, WAIT_LIMIT_MS);

  afterAll(() => service.dispose());

  it(
    'allows only requests that are not refused with 400, except for the listed reasons',
    async () => {
      const run = { seed: SEED, rounds: ROUNDS };
      expect(await checker.listWronglyRefused(run, REASONS)).toEqual([]);
    },
    WAIT_LIMIT_MS,
  );

  it(
    'forbids only requests that are never answered with 2xx',
    async () => {
      const run = { seed: SEED, rounds: ROUNDS };
      expect(await checker.listWronglyAccepted(run)).toEqual([]);
    },
    WAIT_LIMIT_MS,
  );
});
