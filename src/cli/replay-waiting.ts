import type { Client } from './client';
import { formatCell } from './output';

type Json = Record<string, unknown>;

/** A replay counts as standing still after this time without progress. */
export const STALLED_AFTER_MS = 2_000;

/**
 * Describes in one sentence what a stalled replay waits for. Facts that the key may
 * not read are left out.
 */
export const describeWait = async (client: Client, job: Json): Promise<string> => {
  if (job['status'] === 'queued') return QUEUED_TEXT;
  const reasons = [
    describeDisabled,
    describeFailing,
    describeRateLimit,
    describeLiveBacklog,
    describeSharedLimits,
  ];
  const facts = await readFacts(client, job);
  for (const describe of reasons) {
    const reason = describe(job, facts);
    if (reason !== null) return reason;
  }
  return describeAttempts(facts);
};

export const PLANNING_TEXT =
  'Planning: the service counts the events of the window, after all earlier events are indexed.';
const QUEUED_TEXT =
  'Queued: no process of the service has started it yet. It starts by itself when a process that runs replays has room.';

interface Facts {
  readonly destination: Json;
  readonly health: Json;
  /** Replays in progress to the same destination. */
  readonly replays: readonly Json[];
}

const readFacts = async (client: Client, job: Json): Promise<Facts> => {
  const id = String(job['destination_id']);
  const own = { destination_id: id };
  const read = (path: string, params: Json = {}): Promise<Json> =>
    client.get(path, params).catch(() => ({}));
  const [destination, health, replays] = await Promise.all([
    read(`/v1/destinations/${id}`),
    read('/v1/destinations/health', own),
    read('/v1/replay', { ...own, status: 'in_progress' }),
  ]);
  const [ownHealth = {}] = listItems(health);
  return {
    destination,
    health: ownHealth,
    replays: listItems(replays),
  };
};

const listItems = ({ data = [] }: Json): Json[] => data as Json[];

const describeDisabled = (_job: Json, { destination }: Facts): string | null => {
  const { status } = destination;
  if (status === undefined || status === 'active') return null;
  return `The destination is ${formatCell(status)}, so the replay is about to fail.`;
};

const describeFailing = (_job: Json, { health }: Facts): string | null => {
  const { failing_since, last_status_code, last_error } = health;
  if (typeof failing_since !== 'string') return null;
  const why =
    typeof last_status_code === 'number'
      ? `it answered ${last_status_code}`
      : `it gave no response (${formatCell(last_error)})`;
  return `The destination fails since ${failing_since}: ${why}. The events that failed wait for their next attempt; each is tried at most three times.`;
};

const describeLiveBacklog = (_job: Json, { health }: Facts): string | null => {
  const { waiting } = health;
  if (typeof waiting !== 'number' || waiting === 0) return null;
  return `New events go first, and ${waiting} of them wait for the destination.`;
};

/**
 * Describes a rate limit that is so low that the replay stands still between two events: it allows
 * less than one event in `STALLED_AFTER_MS`.
 */
const describeRateLimit = (
  { rate_per_second: ownRate }: Json,
  { destination }: Facts,
): string | null => {
  const limit = destination['rate_limit_per_second'];
  const limits = [
    { rate: ownRate, source: '--rate of this replay' },
    { rate: limit, source: 'the rate limit of the destination' },
  ].filter(({ rate }) => typeof rate === 'number' && rate * STALLED_AFTER_MS < 1_000);
  const [slowest] = limits.sort((a, b) => Number(a.rate) - Number(b.rate));
  if (slowest === undefined) return null;
  return `It sends at most ${formatCell(slowest.rate)} events per second: ${slowest.source}.`;
};

const describeSharedLimits = ({ replay_id: id }: Json, { replays }: Facts): string | null => {
  const others = replays.map(({ replay_id }) => String(replay_id)).filter((each) => each !== id);
  if (others.length === 0) return null;
  return `It shares the limits of the destination with ${others.join(' and ')}, which runs too.`;
};

const describeAttempts = ({ health }: Facts): string => {
  const { in_flight: inFlight } = health;
  return typeof inFlight === 'number' && inFlight > 0
    ? `The destination has not answered yet: ${inFlight} of its attempts are in progress.`
    : 'The service reads the log for the next events.';
};
