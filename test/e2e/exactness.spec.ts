import { ContractChecker } from '../support/exactness';
import { LEFT_OUT, REASONS } from '../support/exactness-rules';
import { Service } from '../support/service';

/** A busy machine takes longer than the usual limit. */
const WAIT_LIMIT_MS = 180_000;
/** A sample of `exactness.long.spec.ts`: one request to each operation in each direction. */
const RUN = { seed: 2_026, rounds: 1 };

describe('a sample of requests from the OpenAPI document', () => {
  let service: Service;
  let checker: ContractChecker;

  beforeAll(async () => {
    service = await Service.start();
    checker = await ContractChecker.create(service, LEFT_OUT);
  }, WAIT_LIMIT_MS);

  afterAll(() => service.dispose());

  it(
    'is not refused with 400 where the document allows it, except for the listed reasons',
    async () => {
      expect(await checker.listWronglyRefused(RUN, REASONS)).toEqual([]);
    },
    WAIT_LIMIT_MS,
  );

  it(
    'is never answered with 2xx where the document forbids it',
    async () => {
      expect(await checker.listWronglyAccepted(RUN)).toEqual([]);
    },
    WAIT_LIMIT_MS,
  );
});
