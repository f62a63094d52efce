import { noon, scenario } from '../../../test/support/given';
import type { Instant } from '../../kernel/time';
import { computeCounts } from '../../replay/progress/counts';
import {
  cancelReplay,
  failReplay,
  finishReplay,
  JobLost,
  recordProgress,
  replayAggregate,
  requestReplay,
  requireReplay,
  startReplay,
} from './replay.decider';
import type { ReplayFact, ReplayProgress, ReplayRequest, WaitingEvent } from './replay.events';

const { given } = scenario(replayAggregate);
const scope = 'tnt_1.test';
const id = 'rep_1';

const asked: ReplayRequest = {
  scope,
  id,
  tenant_id: 'tnt_1',
  environment: 'test',
  destination_id: 'dest_1',
  from: '2026-01-01T00:00:00.000Z' as Instant,
  to: '2026-02-01T00:00:00.000Z' as Instant,
  effective_to: '2026-02-01T00:00:00.000Z' as Instant,
  event_types: null,
  destination_event_types: null,
  subscriber_ids: null,
  cohort_ids: null,
  dedupe_strategy: 'skip_existing',
  rate_per_second: null,
  retry_of: null,
  events_matched: 10,
  events_skipped: 2,
  position_from: '100',
  position_to: '900',
  estimated_rate: 500,
  estimated_wait_seconds: 0,
};

const requested: ReplayFact = { type: 'replay.requested', data: asked };
const started = (run = 'a'): ReplayFact => ({
  type: 'replay.started',
  data: { scope, id, run, started_at: noon },
});
const made = (change: Partial<ReplayProgress> = {}): ReplayProgress => ({
  scanned_to: 5,
  open: [],
  events_delivered: 7,
  events_failed: 0,
  events_skipped: 3,
  waiting: [],
  ended: [],
  failures: [],
  ...change,
});
const progressed = (change: Partial<ReplayProgress> = {}, run = 'a'): ReplayFact => ({
  type: 'replay.progressed',
  data: { scope, id, run, ...made(change) },
});
const cancelled: ReplayFact = { type: 'replay.cancelled', data: { scope, id } };
const finished: ReplayFact = {
  type: 'replay.finished',
  data: { scope, id, run: 'a', status: 'completed', events_matched: 10 },
};
const failed: ReplayFact = {
  type: 'replay.failed',
  data: { scope, id, run: 'a', failure_reason: 'destination_deleted' },
};
const notice = (data: object): object => ({
  type: 'replay.completed',
  data: {
    tenant_id: 'tnt_1',
    environment: 'test',
    replay_id: id,
    destination_id: 'dest_1',
    failure_reason: null,
    events_delivered: 0,
    events_failed: 0,
    ...data,
  },
});
const waiting: WaitingEvent = {
  revision: 4,
  event_id: 'evt_1',
  event_type: 'ticket.submitted',
  subscriber_id: 'subscriber_1',
  sequence: 2,
  created_at: noon,
  attempts: 1,
  next_attempt_at: noon,
};

describe('a replay job', () => {
  it('is requested once', () => {
    given().when(requestReplay(asked)).then([requested]);
    given(requested).when(requestReplay(asked)).then([]);
  });

  it('starts once for each run', () => {
    given(requested).when(startReplay('a', noon)).then([started()]);
    given(requested, started()).when(startReplay('a', noon)).then([]);
  });

  it('is taken over by another run and keeps its start time', () => {
    const later = '2026-03-10T13:00:00.000Z' as Instant;
    given(requested, started())
      .when(startReplay('b', later))
      .then([started('b')]);
  });

  it('does not start again when it has ended', () => {
    for (const end of [finished, failed, cancelled]) {
      given(requested, started(), end).when(startReplay('b', noon)).then([]);
    }
  });

  it('accepts progress only from its latest run', () => {
    given(requested, started()).when(recordProgress('a', made())).then([progressed()]);
    const { state } = given(requested, started(), started('b'));
    for (const decide of [
      recordProgress('a', made()),
      finishReplay('a'),
      failReplay('a', 'internal_error'),
    ]) {
      expect(() => decide(state)).toThrow(JobLost);
    }
  });

  it('counts the requests in flight at its cancellation', () => {
    given(requested, started(), cancelled).when(recordProgress('a', made())).then([progressed()]);
    given(requested, started(), finished).when(recordProgress('a', made())).then([]);
  });

  it('is completed, or completed with errors', () => {
    given(requested, started(), progressed())
      .when(finishReplay('a'))
      .then([finished, notice({ status: 'completed', events_delivered: 7 })]);
    given(requested, started(), progressed({ events_delivered: 6, events_failed: 1 }))
      .when(finishReplay('a'))
      .thenLike([
        { data: { status: 'completed_with_errors', events_matched: 10 } },
        { data: { status: 'completed_with_errors', events_failed: 1 } },
      ]);
    given(requested, started(), cancelled).when(finishReplay('a')).then([]);
  });

  it('fails if it cannot continue', () => {
    given(requested, started())
      .when(failReplay('a', 'destination_deleted'))
      .then([failed, notice({ status: 'failed', failure_reason: 'destination_deleted' })]);
    given(requested, started(), cancelled).when(failReplay('a', 'destination_deleted')).then([]);
  });

  it('is cancelled once while it is queued or running', () => {
    given(requested).when(cancelReplay).then([cancelled]);
    given(requested, started()).when(cancelReplay).then([cancelled]);
    given(requested, cancelled).when(cancelReplay).then([]);
    given(requested, started(), finished).when(cancelReplay).thenRefused('replay_not_cancellable');
    given(requested, started(), failed).when(cancelReplay).thenRefused('replay_not_cancellable');
  });

  it('keeps waiting events until they end', () => {
    const { state } = given(requested, started(), progressed({ waiting: [waiting] }));
    expect([...requireReplay(state).waiting.keys()]).toEqual([4]);
    const next = given(
      requested,
      started(),
      progressed({ waiting: [waiting] }),
      progressed({ ended: [4] }),
    );
    expect(requireReplay(next.state).waiting.size).toBe(0);
  });
});

describe('the counts of a replay job', () => {
  it('add up from acceptance on, even if more events are skipped than planned', () => {
    const job = { events_matched: 10, skipped_at_acceptance: 2 };
    for (const [delivered, failures, skipped, expected] of [
      [0, 0, 0, [2, 8]],
      [3, 1, 1, [2, 4]],
      [5, 0, 4, [4, 1]],
      [8, 1, 1, [1, 0]],
    ] as const) {
      const counts = computeCounts({
        ...job,
        events_delivered: delivered,
        events_failed: failures,
        events_skipped: skipped,
      });
      expect([counts.events_skipped, counts.events_pending]).toEqual(expected);
      expect(delivered + failures + counts.events_skipped + counts.events_pending).toBe(10);
    }
  });
});
