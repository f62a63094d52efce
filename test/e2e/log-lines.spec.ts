import { runCli } from '../support/cli';
import { Receiver } from '../support/receiver';
import { Service, type TestTenant } from '../support/service';
import { makeHistory } from '../support/tenant-history';

type Json = Record<string, unknown>;

/** Each unit of work writes one line at its end, with what the API shows of it and nothing personal. */
describe('the log line at the end of', () => {
  let service: Service;
  let receiver: Receiver;
  let tenant: TestTenant;

  beforeAll(async () => {
    receiver = await Receiver.start();
    service = await Service.start({ env: { LOG_LEVEL: 'info' } });
    tenant = await service.tenant();
    await makeHistory(tenant, service, receiver);
  });
  afterAll(async () => {
    await service?.dispose();
    await receiver?.close();
  });

  /** Expects exactly one line with the message, with these fields and no other. */
  const expectLine = (message: string, fields: Json): void => {
    const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as unknown;
    expect(service.listLogLines(message)).toEqual([{ level: 'info', time, message, ...fields }]);
  };

  it('an import has its id and counts its lines', async () => {
    const [{ id }] = (await tenant.api.get('/v1/imports')).data as [Json];
    expectLine('import.finished', { import_id: id, lines_ok: 1, lines_failed: 1 });
  });

  it('a replay has its id, how it ended, its counts and its duration', async () => {
    const [ended] = (await tenant.api.get('/v1/replay')).data as [Json];
    expect(ended['events_failed']).toBeGreaterThan(0);
    expectLine('replay.finished', {
      replay_id: ended['replay_id'],
      status: 'completed_with_errors',
      failure_reason: null,
      delivered: ended['events_delivered'],
      failed: ended['events_failed'],
      skipped: ended['events_skipped'],
      duration_ms: expect.any(Number) as number,
    });
  });

  it('a rebuild has its id and its projections', async () => {
    const { code, stdout } = await runCli(service, ['--json', 'rebuild', 'tickets']);
    expect(code).toBe(0);
    const { id } = JSON.parse(stdout) as Json;
    expectLine('rebuild.finished', {
      rebuild_id: id,
      compared: false,
      projections: ['tickets'],
      differences: 0,
    });
  });
});
