import { fuzzOperations } from '../support/fuzz';
import { RunningService } from '../support/service';

describe('every operation of the OpenAPI document', () => {
  let service: RunningService;

  beforeAll(async () => {
    service = await RunningService.shared();
  });

  it('answers hostile values with the documented errors, in time and never with a 5xx', async () => {
    expect(
      await fuzzOperations(service, await service.tenant(), { seed: 20_260_101, rounds: 6 }),
    ).toEqual([]);
  }, 240_000);
});
