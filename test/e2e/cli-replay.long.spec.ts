import { join } from 'node:path';
import { type CliRun, runCli } from '../support/cli';
import { databases } from '../support/databases';
import { ReplayStage, getToday } from '../support/replay-stage';

const EVENTS = 12;
/** The command behaves as if its standard error stream were a terminal. */
const TERMINAL = { NODE_OPTIONS: `--require ${join(__dirname, '../support/terminal.cjs')}` };
/** The rate of the replay, slow enough for the progress bar to be seen. */
const RATE = 8;

/** Parses `field   value` lines, as the command line prints one object. */
const parseFields = ({ stdout }: CliRun): Record<string, string> =>
  Object.fromEntries(
    stdout
      .trim()
      .split('\n')
      .map((line) => {
        const [name = '', ...value] = line.split(/\s+/);
        return [name, value.join(' ')];
      }),
  );

const parseBars = ({ stderr }: CliRun): string[] =>
  stderr
    .split('\r')
    .map((line) => line.trim())
    .filter((line) => line !== '');

describe('the command "replay"', () => {
  let stage: ReplayStage;

  beforeAll(async () => {
    stage = await ReplayStage.start(databases[0]!);
  });

  afterAll(() => stage.dispose());

  const replay = async (...args: string[]): Promise<CliRun> => replayWith({}, ...args);

  const replayWith = async (
    env: Readonly<Record<string, string>>,
    ...args: string[]
  ): Promise<CliRun> => {
    const { key } = await stage.service.createKey(stage.tenant.id, 'test');
    return runCli(stage.service, ['replay', ...args], { API_KEY: key, ...env });
  };

  const createWindowOptions = (destination: string): string[] => {
    const { from, to } = getToday();
    return ['--destination', destination, '--from', from, '--to', to];
  };

  it('--dry-run prints what would be sent and sends nothing', async () => {
    const { receiver, destination } = await stage.newDestination();
    const run = await replay(...createWindowOptions(destination.id), '--dry-run');
    expect([run.code, run.stderr]).toEqual([0, '']);
    const fields = parseFields(run);
    expect(fields).toMatchObject({
      destination_id: destination.id,
      estimated_event_count: String(EVENTS),
    });
    for (const [name, event] of [
      ['first_event', stage.events[0]!],
      ['last_event', stage.events.at(-1)!],
    ] as const)
      expect(run.stdout).toMatch(new RegExp(`^${name} *\\n +id +${event.id}$`, 'm'));
    const listed = await replay('list');
    expect(listed.stdout).not.toContain('rep_');
    expect(receiver.received).toEqual([]);
  });

  it('sends the events and shows a bar with rate and remaining time until they are sent', async () => {
    const { receiver, destination } = await stage.newDestination();
    const window = createWindowOptions(destination.id);
    const run = await replayWith(TERMINAL, ...window, '--rate', String(RATE));
    expect(run.code).toBe(0);
    expect(receiver.eventIds.sort()).toEqual(stage.events.map(({ id }) => id).sort());
    const bars = parseBars(run);
    expect(bars.length).toBeGreaterThan(2);
    expect(bars.some((bar) => /^█+░+ \d+ % {2}\d+ of 12 {2}\d+\/s {2}\d+ s left$/.test(bar))).toBe(
      true,
    );
    expect(bars.at(-1)).toMatch(/^█{30} 100 % {2}12 of 12/);
    expect(parseFields(run)).toMatchObject({
      status: 'completed',
      events_matched: String(EVENTS),
      events_delivered: String(EVENTS),
      events_pending: '0',
    });
  });

  it('names --force when the destination has received all events before', async () => {
    const { destination } = await stage.newDestination();
    await replay(...createWindowOptions(destination.id));
    const again = await replay(...createWindowOptions(destination.id));
    expect([again.code, parseFields(again)['events_delivered']]).toEqual([0, '0']);
    expect(`${again.stdout}${again.stderr}`).toContain('add --force');
  });

  it('exits with 1 when events failed, and lists them', async () => {
    const { receiver, destination } = await stage.newDestination();
    receiver.answerStatus(500);
    const run = await replay(...createWindowOptions(destination.id), '--events', 'ticket.*');
    expect(run.code).toBe(1);
    expect(run.stderr).toMatch(/^100 % {2}6 of 6 {2}6 failed/);
    expect(run.stderr.split('\n')).toHaveLength(2);
    const { replay_id: id = '', status } = parseFields(run);
    expect(status).toBe('completed_with_errors');
    const failures = await replay('failures', id);
    expect(failures.stdout.match(/ticket\.submitted/g)).toHaveLength(6);

    receiver.answerStatus(200);
    const again = await replay('--retry-of', id);
    expect([again.code, parseFields(again)['events_delivered']]).toEqual([0, '6']);
  });

  it('says what it waits for while it is stalled, and why it ended', async () => {
    const { destination } = await stage.newDestination();
    const [subscriber = ''] = stage.subscribers;
    const run = await replay(
      ...createWindowOptions(destination.id),
      ...['--subscribers', subscriber, '--rate', '0.2'],
    );
    expect(run.code).toBe(0);
    expect(run.stderr).toContain('It sends at most 0.2 events per second: --rate of this replay.');
    expect(run.stdout).toContain('Completed: 2 events were delivered.');
  });

  it('says why a replay was cancelled or failed, and what to do next', async () => {
    const cancelled = await stage.newDestination();
    const slow = { destination_id: cancelled.destination.id, rate_per_second: 0.1 };
    const { replay_id: id } = await stage.request(slow);
    expect((await replay('cancel', id)).code).toBe(0);
    const watched = await replay('watch', id);
    expect(watched.code).toBe(1);
    expect(watched.stdout).toMatch(/^Cancelled: \d+ of 12 events .* start the replay again/m);

    const { receiver, destination } = await stage.newDestination();
    receiver.answerStatus(410);
    const gone = await replay(...createWindowOptions(destination.id));
    expect(gone.code).toBe(1);
    expect(gone.stdout).toMatch(/^Failed: the destination answered 410 .* enable it/m);
  });

  it('--json prints exactly the response of the service', async () => {
    const { destination } = await stage.newDestination();
    const run = await replay(...createWindowOptions(destination.id), '--json');
    expect([run.code, run.stderr]).toEqual([0, '']);
    expect(JSON.parse(run.stdout)).toMatchObject({ status: 'completed', events_failed: 0 });
  });

  it('--json prints why a replay did not complete as an error, and the job as its output', async () => {
    const { receiver, destination } = await stage.newDestination();
    receiver.answerStatus(410);
    const run = await replay(...createWindowOptions(destination.id), '--json');
    expect(run.code).toBe(1);
    expect(JSON.parse(run.stdout)).toMatchObject({ status: 'failed' });
    expect(JSON.parse(run.stderr)).toMatchObject({
      error: { type: 'command_line_error', message: expect.stringMatching(/^Failed: /) as string },
    });
  });

  it('prints errors that a person can understand', async () => {
    const run = await replay('--destination', 'dest_nothere', '--from', getToday().from);
    expect(run.code).toBe(5);
    expect(run.stdout).toBe('');
    expect(run.stderr).toMatch(/\(resource_not_found\)$/m);
  });
});
