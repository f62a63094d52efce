import { OrderedMap } from 'immutable';
import { type Dated, type Decider, unreachable } from '../../kernel/decider';
import { DomainError } from '../../kernel/errors';
import type { Instant } from '../../kernel/time';
import type {
  FailureReason,
  ReplayFact,
  ReplayNotice,
  ReplayProgress,
  ReplayRequest,
  WaitingEvent,
} from './replay.events';

export const REPLAY_STATUSES = [
  'queued',
  'in_progress',
  'completed',
  'completed_with_errors',
  'cancelled',
  'failed',
] as const;
export type ReplayStatus = (typeof REPLAY_STATUSES)[number];

export interface KnownReplay {
  readonly status: ReplayStatus;
  readonly request: ReplayRequest;
  readonly createdAt: Instant;
  readonly startedAt: Instant | null;
  readonly finishedAt: Instant | null;
  readonly failureReason: FailureReason | null;
  readonly eventsMatched: number;
  /** The run that may write. Null before the first run. */
  readonly run: string | null;
  readonly progress: Pick<
    ReplayProgress,
    'scanned_to' | 'open' | 'done' | 'events_delivered' | 'events_failed' | 'events_skipped'
  >;
  /** Waiting events by category revision. */
  readonly waiting: OrderedMap<number, WaitingEvent>;
}

export type Replay = { readonly status: 'absent' } | KnownReplay;

/** Thrown when another process has taken the job over. This run must write nothing more. */
export class JobLost extends Error {
  override readonly name = 'JobLost';
}

export const replayAggregate: Decider<Replay, ReplayFact> = {
  initialState: () => ({ status: 'absent' }),
  evolve: (replay, fact) => {
    if (fact.type === 'replay.requested') return createQueuedReplay(fact);
    return replay.status === 'absent' ? replay : evolveKnown(replay, fact);
  },
};

const createQueuedReplay = ({
  data,
  at,
}: Dated<Extract<ReplayFact, { type: 'replay.requested' }>>) => ({
  status: 'queued' as const,
  request: data,
  createdAt: at,
  startedAt: null,
  finishedAt: null,
  failureReason: null,
  eventsMatched: data.events_matched,
  run: null,
  progress: {
    scanned_to: -1,
    open: [],
    events_delivered: 0,
    events_failed: 0,
    events_skipped: 0,
  },
  waiting: OrderedMap<number, WaitingEvent>(),
});

type LaterFact = Exclude<Dated<ReplayFact>, { type: 'replay.requested' }>;

const evolveKnown = (replay: KnownReplay, { type, data, at }: LaterFact): KnownReplay => {
  switch (type) {
    case 'replay.started':
      return { ...replay, status: 'in_progress', run: data.run, startedAt: data.started_at };
    case 'replay.progressed':
      return { ...replay, progress: data, waiting: evolveWaiting(replay.waiting, data) };
    case 'replay.finished':
      return { ...replay, status: data.status, eventsMatched: data.events_matched, finishedAt: at };
    case 'replay.failed':
      return { ...replay, status: 'failed', failureReason: data.failure_reason, finishedAt: at };
    case 'replay.cancelled':
      return { ...replay, status: 'cancelled', finishedAt: at };
    case 'replay.completed':
      return replay;
    default:
      return unreachable(type);
  }
};

const evolveWaiting = (
  before: KnownReplay['waiting'],
  { waiting, ended }: ReplayProgress,
): KnownReplay['waiting'] =>
  before.concat(waiting.map((event) => [event.revision, event])).deleteAll(ended);

export const requireReplay = (replay: Replay): KnownReplay => {
  if (replay.status === 'absent') throw new Error('the replay does not exist');
  return replay;
};

/** True if the job holds one of the places of its environment (D-107). */
export const isUnfinished = ({ status }: Pick<Replay, 'status'>): boolean =>
  status === 'queued' || status === 'in_progress';

export const requestReplay =
  (data: ReplayRequest) =>
  (replay: Replay): ReplayFact[] =>
    replay.status === 'absent' ? [{ type: 'replay.requested', data }] : [];

/** Begins a run. The first run starts the job; a later one continues where the last one stopped. */
export const startReplay =
  (run: string, now: Instant) =>
  (replay: Replay): ReplayFact[] => {
    if (replay.status === 'absent' || !isUnfinished(replay) || replay.run === run) return [];
    const { scope, id } = replay.request;
    return [
      { type: 'replay.started', data: { scope, id, run, started_at: replay.startedAt ?? now } },
    ];
  };

/** Records progress. Requests in flight at a cancellation still end and are counted (D-106). */
export const recordProgress =
  (run: string, data: ReplayProgress) =>
  (replay: Replay): ReplayFact[] => {
    const { request: asked, status } = requireRun(replay, run);
    if (status !== 'in_progress' && status !== 'cancelled') return [];
    const { scope, id } = asked;
    return [{ type: 'replay.progressed', data: { scope, id, run, ...data } }];
  };

/** Ends a job whose events are all settled. */
export const finishReplay =
  (run: string) =>
  (replay: Replay): ReplayFact[] => {
    const { request: asked, status, progress: reached } = requireRun(replay, run);
    if (status !== 'in_progress') return [];
    const { scope, id } = asked;
    const { events_delivered, events_failed, events_skipped } = reached;
    const ending = events_failed === 0 ? 'completed' : 'completed_with_errors';
    const events_matched = events_delivered + events_failed + events_skipped;
    return [
      { type: 'replay.finished', data: { scope, id, run, status: ending, events_matched } },
      createNotice(replay, ending),
    ];
  };

export const failReplay =
  (run: string, reason: FailureReason) =>
  (replay: Replay): ReplayFact[] => {
    const { request: asked, status } = requireRun(replay, run);
    if (status !== 'in_progress') return [];
    const { scope, id } = asked;
    return [
      { type: 'replay.failed', data: { scope, id, run, failure_reason: reason } },
      createNotice(replay, 'failed', reason),
    ];
  };

const createNotice = (
  replay: Replay,
  status: ReplayNotice['status'],
  failure_reason: FailureReason | null = null,
): ReplayFact => {
  const { request: asked, progress: reached } = requireReplay(replay);
  const { tenant_id, environment, destination_id, id: replay_id } = asked;
  const { events_delivered, events_failed } = reached;
  const job = { tenant_id, environment, replay_id, destination_id };
  const data = { ...job, status, failure_reason, events_delivered, events_failed };
  return { type: 'replay.completed', data };
};

/** Cancels the job (D-106). A second cancellation does nothing. */
export const cancelReplay = (replay: Replay): ReplayFact[] => {
  if (replay.status === 'absent' || replay.status === 'cancelled') return [];
  const { request: asked, status } = replay;
  if (isUnfinished(replay)) {
    return [{ type: 'replay.cancelled', data: { scope: asked.scope, id: asked.id } }];
  }
  throw new DomainError('replay_not_cancellable', `The replay has ended: it is ${status}.`, {
    details: { current_status: status },
  });
};

const requireRun = (replay: Replay, run: string): KnownReplay => {
  if (replay.status === 'absent' || replay.run !== run) throw new JobLost(run);
  return replay;
};
