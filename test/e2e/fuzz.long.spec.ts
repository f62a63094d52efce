import { fuzzOperations } from '../support/fuzz';
import { Service } from '../support/service';

/** The number of requests to each operation. .ci/run sets a smaller one. */
const ROUNDS = Number(process.env['FUZZ_ROUNDS'] ?? 150);

describe('every operation of the OpenAPI document', () => {
  let service: Service;

  beforeAll(async () => {
    service = await Service.start({ env: { RATE_LIMIT_METRICS: '100000' } });
  });

  afterAll(() => service.dispose());

  it('answers many hostile values with the documented errors, in time and never with a 5xx', async () => {
    expect(
      await fuzzOperations(service, await service.tenant(), { seed: 7_919, rounds: ROUNDS }),
    ).toEqual([]);
  }, 3_600_000);
});
