import type { Client } from './client';
import { describeWait } from './replay-waiting';

type Json = Record<string, unknown>;

const job = {
  replay_id: 'rep_1',
  status: 'in_progress',
  destination_id: 'dest_1',
  rate_per_second: null,
};
const destination = { status: 'active', rate_limit_per_second: null };
const healthy = {
  waiting: 0,
  in_flight: 0,
  failing_since: null,
  last_status_code: null,
  last_error: null,
};

/** A client that answers with the given bodies by path, and refuses all other paths. */
const answering = (bodies: Readonly<Record<string, Json | Json[]>>): Client => {
  const get = (path: string): Promise<Json> => {
    const body = bodies[path];
    if (body === undefined) return Promise.reject(new Error('insufficient_scope'));
    return Promise.resolve(Array.isArray(body) ? { data: body } : body);
  };
  return { get } as unknown as Client;
};

const DESTINATION = '/v1/destinations/dest_1';
const HEALTH = '/v1/destinations/health';

describe('what a replay waits for', () => {
  it.each<[string, Json, Record<string, Json | Json[]>]>([
    ['Queued: no process of the service has started it yet.', { status: 'queued' }, {}],
    ['The destination is disabled,', {}, { [DESTINATION]: { status: 'disabled' } }],
    [
      'The destination fails since 12:00: it answered 500. The events that failed wait for their next attempt',
      { rate_per_second: 0.1 },
      { [HEALTH]: [{ ...healthy, failing_since: '12:00', last_status_code: 500 }] },
    ],
    [
      'it gave no response (timeout).',
      {},
      { [HEALTH]: [{ ...healthy, failing_since: '12:00', last_error: 'timeout' }] },
    ],
    ['at most 0.1 events per second: --rate', { rate_per_second: 0.1 }, {}],
    [
      'at most 0.2 events per second: the rate limit of the destination.',
      { rate_per_second: 0.3 },
      { [DESTINATION]: { ...destination, rate_limit_per_second: 0.2 } },
    ],
    ['New events go first, and 3 of them wait', {}, { [HEALTH]: [{ ...healthy, waiting: 3 }] }],
    [
      'It shares the limits of the destination with rep_2, which runs too.',
      {},
      { '/v1/replay': [{ replay_id: 'rep_1' }, { replay_id: 'rep_2' }] },
    ],
    [
      'The destination has not answered yet: 4 of its attempts',
      {},
      { [HEALTH]: [{ ...healthy, in_flight: 4 }] },
    ],
    ['The service reads the log', { rate_per_second: 50 }, { [DESTINATION]: destination }],
  ])('is said: %s', async (text, facts, bodies) => {
    expect(await describeWait(answering(bodies), { ...job, ...facts })).toContain(text);
  });
});
