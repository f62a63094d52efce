import { describeEnd } from './replay-ending';

const job = {
  replay_id: 'rep_1',
  failure_reason: null,
  events_matched: 12,
  events_delivered: 7,
  events_failed: 0,
  events_skipped: 5,
};

describe('the end of a replay', () => {
  it.each([
    [
      { status: 'completed' },
      'Completed: 7 events were delivered. 5 were left out, because the destination has received them before (--force sends all).',
    ],
    [{ status: 'completed', events_matched: 0 }, 'Completed: no event matched. Check the window'],
    [{ status: 'completed', events_delivered: 0 }, 'To send them again, add --force.'],
    [
      { status: 'completed_with_errors', events_failed: 2, events_skipped: 3 },
      'Completed with errors: 7 of 12 events were delivered and 2 failed.',
    ],
    [{ status: 'completed_with_errors' }, 'npm run cli -- replay failures rep_1\n'],
    [{ status: 'completed_with_errors' }, 'npm run cli -- replay --retry-of rep_1'],
    [
      { status: 'cancelled' },
      'Cancelled: 7 of 12 events were delivered. To send the others, start the replay again',
    ],
    [
      { status: 'failed', failure_reason: 'destination_disabled' },
      'Failed: the destination was disabled. 7 of 12 events were delivered. Enable it ("destination enable").',
    ],
    [{ status: 'failed', failure_reason: 'destination_gone' }, 'answered 410 (Gone)'],
    [{ status: 'failed', failure_reason: 'destination_deleted' }, '("destination restore")'],
    [{ status: 'failed', failure_reason: 'internal_error' }, 'The log of the service says why.'],
  ])('with %j says why, the numbers and what to do next', (facts, text) => {
    expect(describeEnd({ ...job, ...facts })).toContain(text);
  });
});
