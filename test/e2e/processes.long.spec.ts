import { hasEnded, PATIENCE_MS, ProcessStage } from '../support/process-stage';
import { until } from '../support/until';

const NAMES = ['event-store', 'sql', 'api', 'projector', 'dispatcher-1', 'dispatcher-2'];

describe('several processes under one supervisor, killed', () => {
  let stage: ProcessStage;

  beforeAll(async () => {
    stage = await ProcessStage.start(4);
  }, PATIENCE_MS);

  afterAll(() => stage.dispose());

  it.each(NAMES)(
    'deliver everything that was accepted when %s is killed',
    (name) => stage.survives(name),
    4 * PATIENCE_MS,
  );

  const reads = async (): Promise<number> => {
    const [subscriber = ''] = stage.subscribers;
    return (await stage.tenant.api.get(`/v1/subscribers/${subscriber}`)).status;
  };

  it('continue with the same data after SIGTERM', async () => {
    expect(await stage.service.stop()).toBe(0);
    await stage.service.run();
    expect(await reads()).toBe(200);
  });

  it('end with their supervisor, so that one process can use the data', async () => {
    const pids = [...stage.processes().values()];
    expect(pids).toHaveLength(NAMES.length);
    await stage.service.kill();
    await until('the end of the processes', () => pids.every(hasEnded));
    await stage.service.run({ PROCESSES: '1' });
    expect(stage.processes().size).toBe(0);
    expect(await reads()).toBe(200);
  });
});
