import { createKnownLoader } from '../../src/delivery/journal/known-deliveries';
import { findFailing } from '../../src/delivery/journal/outages';
import { createRecoveryLoader } from '../../src/delivery/journal/recovery';
import { DeliveryProjection } from '../../src/delivery/journal/delivery.projection';
import { type Outcome, OUTCOMES_RECORDED } from '../../src/delivery/journal/journal';
import type { StoredEvent } from '../../src/event-store/stored-event';
import { HOUR_MS, type Instant, plusMs, toMillis } from '../../src/kernel/time';
import { RowChanges } from '../../src/projections/rows';
import type { Database } from '../../src/read-models/database';
import { migrate } from '../../src/read-models/migrate';
import { databases } from '../support/databases';
import { noon } from '../support/given';
import { openSql } from '../support/sql';

const LATER = '2026-03-10T12:01:00.000Z';

const delivered = { kind: 'delivered', status: 'delivered', status_code: 200 } as const;
const failed = { kind: 'failed', status: 'failed', status_code: 500 } as const;
const retrying = {
  kind: 'retrying',
  status: 'pending',
  status_code: 500,
  next_attempt_at: LATER,
} as Partial<Outcome>;
const deferred = { ...retrying, kind: 'deferred', attempt: 0 } as Partial<Outcome>;
const replayed = { ...delivered, replay_id: 'rep_1' };
const replayFailed = { ...failed, status: null, replay_id: 'rep_1' };
const retriedByHand = { ...failed, status: 'delivered' } as const;

/** Builds the journal of one process about the event, one outcome after the other. */
const buildJournalEvent = (facts: Partial<Outcome>, i: number): StoredEvent => {
  const outcome = {
    attempt_id: `attempt-${i}`,
    replay_id: null,
    event_id: 'evt_1',
    event_type: 'ticket.submitted',
    scope: 'tnt_0.test',
    subscriber_id: 'subscriber_0',
    sequence: 1,
    category_revision: 0,
    created_at: noon,
    attempt: 1,
    at: noon,
    duration_ms: 12,
    error: null,
    response_body: null,
    next_attempt_at: null,
    ...facts,
  };
  const data = { destination_id: 'dest_1', outcomes: [outcome] };
  return { type: OUTCOMES_RECORDED, data, metadata: { at: noon } } as unknown as StoredEvent;
};

describe.each(databases)('the rows of deliveries, on $name SQL', (database) => {
  const projection = new DeliveryProjection();
  let sql: Database;
  let close: () => Promise<void>;

  beforeAll(async () => {
    ({ sql, close } = await openSql(database));
    await migrate(sql);
  });
  afterAll(() => close());

  const project = (events: readonly StoredEvent[]): Promise<void> => {
    const changes = new RowChanges();
    for (const event of events) projection.project(event, changes);
    return sql.transaction((session) => changes.write(session));
  };

  const readRow = async (): Promise<unknown> =>
    (await sql.query({ text: 'select status, next_attempt_at from deliveries' }))[0];

  /**
   * Returns the row after live projection, one batch at a time and each twice, and after a rebuild
   * in one batch.
   */
  const projectRow = async (outcomes: readonly Partial<Outcome>[]): Promise<unknown> => {
    const events = outcomes.map(buildJournalEvent);
    await sql.query({ text: 'truncate deliveries, delivery_attempts' });
    for (const event of events) {
      await project([event]);
      await project([event]);
    }
    const live = await readRow();
    await sql.query({ text: 'truncate deliveries, delivery_attempts' });
    await project(events);
    expect(await readRow()).toEqual(live);
    return live;
  };

  const done = { status: 'delivered', next_attempt_at: null };
  const over = { status: 'failed', next_attempt_at: null };
  const waiting = { status: 'pending', next_attempt_at: LATER };

  it.each([
    ['an attempt that failed at a process that had lost its place', [delivered, retrying], done],
    ['the last attempt of such a process', [delivered, failed], done],
    ['such a process that holds it behind another', [delivered, deferred], done],
    [
      'an attempt that was under way while a replay delivered',
      [retrying, replayed, retrying],
      done,
    ],
    ['a manual retry that failed', [delivered, retriedByHand], done],
    ['a replay that failed', [delivered, replayFailed], done],
  ] as const)('stay delivered after %s', async (_, outcomes, expected) => {
    expect(await projectRow(outcomes)).toEqual(expected);
  });

  it.each<[string, Partial<Outcome>[], string, boolean]>([
    ['nothing was attempted', [], '2026-01-01T00:00:00.000Z', false],
    ['its last attempt failed', [delivered, { ...retrying, at: LATER as Instant }], noon, true],
    [
      'it answered after a failure',
      [retrying, { ...delivered, at: LATER as Instant }],
      noon,
      false,
    ],
    ['it was enabled after the failure', [retrying], LATER, false],
  ])('tell whether a destination is failing if %s', async (_, outcomes, activeSince, expected) => {
    await sql.query({ text: 'truncate deliveries, delivery_attempts, destination_health' });
    await project(outcomes.map(buildJournalEvent));
    const destination = { id: 'dest_1', activeSince: activeSince as Instant };
    expect(await findFailing(sql, [destination])).toEqual(expected ? ['dest_1'] : []);
    await sql.query({ text: 'truncate destination_health' });
  });

  const last = { ...failed, attempt: 3 };
  it.each([
    ['the same attempt at a process that had lost its place', [last, { ...retrying, attempt: 3 }]],
    ['an earlier one of such a process', [last, { ...retrying, attempt: 2 }]],
    ['two of them', [last, { ...retrying, attempt: 2 }, { ...retrying, attempt: 3 }]],
    ['such a process that holds it behind another', [last, deferred]],
    ['a manual retry that failed', [last, { ...failed, attempt: 4 }, { ...retrying, attempt: 4 }]],
  ] as const)('stay failed after %s', async (_, outcomes) => {
    expect(await projectRow(outcomes)).toEqual(over);
  });

  it('are pending until the next attempt of a process whose schedule continues', async () => {
    const next = { ...retrying, attempt: 4 };
    expect(await projectRow([last, next])).toEqual(waiting);
    expect(await projectRow([last, next, { ...retrying, attempt: 3 }])).toEqual(waiting);
  });

  it.each([
    ['the first attempt failed', [retrying], waiting],
    ['only a replay has tried', [replayFailed, deferred], waiting],
    ['a retry failed', [deferred, retrying], waiting],
  ] as const)('are pending if %s', async (_, outcomes, expected) => {
    expect(await projectRow(outcomes)).toEqual(expected);
  });

  it.each([
    ['at last', [retrying, retrying, delivered]],
    ['by hand after it had failed', [retrying, failed, delivered]],
    ['by a replay after it had failed', [failed, replayed]],
    ['by a process that had lost its place', [last, { ...delivered, attempt: 3 }]],
  ] as const)('are delivered %s', async (_, outcomes) => {
    expect(await projectRow(outcomes)).toEqual(done);
  });

  const getTimeAfterHours = (n: number): Instant => plusMs(noon, n * HOUR_MS);
  const buildOutcome = (event_id: string, category_revision: number) => ({
    event_id,
    category_revision,
  });
  const first = { ...failed, ...buildOutcome('evt_1', 0), at: getTimeAfterHours(0) };
  const second = { ...failed, ...buildOutcome('evt_2', 1), at: getTimeAfterHours(1) };
  it.each([
    ['all attempts failed', [first, second], noon, getTimeAfterHours(0)],
    [
      'an earlier event was delivered by hand later',
      [first, second, { ...first, ...delivered, at: getTimeAfterHours(2) }],
      noon,
      null,
    ],
    [
      'a replay was accepted later',
      [first, second, { ...first, ...replayed, at: getTimeAfterHours(2) }],
      noon,
      null,
    ],
    [
      'it failed again after that',
      [
        first,
        { ...first, ...delivered, at: getTimeAfterHours(2) },
        { ...second, at: getTimeAfterHours(3) },
      ],
      noon,
      getTimeAfterHours(3),
    ],
    ['it was enabled in between', [first, second], getTimeAfterHours(1), getTimeAfterHours(1)],
    ['it was enabled after that', [first, second], getTimeAfterHours(2), null],
  ] as const)(
    'show since when a destination fails if %s',
    async (_, outcomes, activeSince, since) => {
      for (const mode of ['live', 'rebuilt']) {
        await sql.query({ text: 'truncate deliveries, delivery_attempts, destination_health' });
        const events = outcomes.map(buildJournalEvent);
        if (mode === 'rebuilt') await project(events);
        else for (const event of events) await project([event]);
        const found = await createRecoveryLoader(sql).load({ id: 'dest_1', activeSince });
        expect(found.failure?.since ?? null).toBe(since);
      }
    },
  );

  it('tell several destinations at once which events need no live delivery any more', async () => {
    await sql.query({ text: 'truncate deliveries, delivery_attempts, destination_health' });
    const ended = { ...delivered, ...buildOutcome('evt_1', 0) };
    const onlyReplayed = {
      ...replayFailed,
      ...buildOutcome('evt_2', 1),
      attempt: 0,
      status: 'failed',
    };
    await project([ended, onlyReplayed as Partial<Outcome>].map(buildJournalEvent));
    const known = createKnownLoader(sql);
    const eventIds = ['evt_1', 'evt_2', 'evt_3'];
    const answers = await Promise.all(
      ['dest_1', 'dest_2'].map((destinationId) => known.load({ destinationId, eventIds })),
    );
    expect(answers.map((found) => [...found])).toEqual([['evt_1'], []]);
  });

  it('show the last of several failures', async () => {
    await sql.query({ text: 'truncate deliveries, delivery_attempts, destination_health' });
    const timedOut = { ...second, status_code: null, error: 'timeout' };
    await project([timedOut, first].map(buildJournalEvent));
    const { failure } = await createRecoveryLoader(sql).load({ id: 'dest_1', activeSince: noon });
    expect(failure).toEqual({
      since: getTimeAfterHours(0),
      lastStatus: null,
      lastError: 'timeout',
    });
  });

  it.each([
    ['their time comes', noon, toMillis(LATER as Instant)],
    ['at once where the destination was enabled after the last attempt', getTimeAfterHours(1), 0],
  ] as const)('are pending after a restart until %s', async (_, activeSince, dueMs) => {
    await sql.query({ text: 'truncate deliveries, delivery_attempts, destination_health' });
    await project([retrying].map(buildJournalEvent));
    const { pending } = await createRecoveryLoader(sql).load({ id: 'dest_1', activeSince });
    expect(pending).toMatchObject([{ notBeforeMs: dueMs, heldUntilMs: dueMs }]);
  });
});
