import type { ServerResponse } from 'node:http';
import { hasEnded, WAIT_LIMIT_MS, ProcessStage } from '../support/process-stage';
import { until } from '../support/until';

const NAMES = ['event-store', 'sql', 'api', 'projector', 'dispatcher-1'];

/**
 * This suite uses the processes that `npm start` creates on a machine with many cores.
 * processes.long.spec.ts kills each of them.
 */
describe('several processes under one supervisor', () => {
  let stage: ProcessStage;

  beforeAll(async () => {
    stage = await ProcessStage.start(3);
  });

  afterAll(() => stage.dispose());

  it('start, and report their names', () => {
    expect([...stage.listProcessIds().keys()].sort()).toEqual([...NAMES].sort());
    expect(stage.service.said).toContain(`processes       ${NAMES.join(', ')}`);
  });

  it('show a write to the next read', async () => {
    const { api } = stage.tenant;
    for (let i = 0; i < 5; i += 1) {
      const { id } = (await api.post('/v1/subscribers', { email: `new${i}@example.com` })).created;
      const { data } = await api.get('/v1/subscribers?limit=1');
      expect(data[0]).toMatchObject({ id });
    }
  });

  it('show the attempts that another process makes now', async () => {
    const { api } = stage.tenant;
    const unanswered: ServerResponse[] = [];
    const countSent = (): number => stage.receiver.listByType('subscriber.created').length;
    // An earlier event that is still under way would be an attempt more.
    const { length: earlier } = (await api.get('/v1/subscribers?limit=100')).data;
    await until('the earlier events', () => countSent() >= earlier, WAIT_LIMIT_MS);
    stage.receiver.answer((_, response) => void unanswered.push(response));
    const countInFlight = async (): Promise<unknown> =>
      (await api.get('/v1/destinations/health')).data[0]?.['in_flight'];
    (await api.post('/v1/subscribers', { email: 'one@example.com' })).expect(201);
    (await api.post('/v1/subscribers', { email: 'two@example.com' })).expect(201);
    await until('both attempts', async () => (await countInFlight()) === 2);
    stage.receiver.answerStatus(200);
    for (const response of unanswered) response.writeHead(200).end();
    await until('no attempt', async () => (await countInFlight()) === 0);
  });

  it('show the metrics of all of them, each under its name', async () => {
    const metrics = await (await fetch(`${stage.service.url}/metrics`)).text();
    for (const name of ['api', 'projector', 'dispatcher-1']) {
      expect(metrics).toMatch(new RegExp(`build_info\\{.*process="${name}".*\\} 1`));
    }
  });

  it('run the maintenance of the event store in its process', async () => {
    const answer = await stage.service.operator.get('/operator/v1/store');
    expect([answer.status, answer.body['error']]).toEqual([200, null]);
  });

  it(
    'deliver everything that was accepted when one of them is killed',
    () => stage.killAndExpectNoLoss('event-store'),
    4 * WAIT_LIMIT_MS,
  );

  it(
    'name a missing process at /health/ready',
    async () => {
      const lookForIt = async (): Promise<number | undefined> => {
        // A replacement starts soon, so one kill may go unnoticed.
        const pid = stage.listProcessIds().get('dispatcher-1');
        if (pid !== undefined) process.kill(pid, 'SIGKILL');
        for (let i = 0; i < 20; i += 1) {
          const { status, text } = await stage.readReadiness();
          if (text.includes('missing: dispatcher-1')) return status;
        }
        return undefined;
      };
      expect(await until('readiness without a dispatcher', lookForIt, WAIT_LIMIT_MS)).toBe(503);
      await stage.untilReady();
    },
    3 * WAIT_LIMIT_MS,
  );

  it('stop cleanly on SIGTERM', async () => {
    const pids = [...stage.listProcessIds().values()];
    expect(pids).toHaveLength(NAMES.length);
    expect(await stage.service.stop()).toBe(0);
    expect(pids.every(hasEnded)).toBe(true);
    expect(stage.service.said).toMatch(/Stopped\. Everything accepted is stored/);
    expect(stage.service.said).not.toContain('Could not start');
  });
});
