import { type Decider, unreachable } from '../../kernel/decider';
import { notFound } from '../../kernel/errors';
import type { Scope } from '../../kernel/scope';
import { type Instant, MINUTE_MS, msBetween } from '../../kernel/time';
import type { ImportFact, ImportLineError } from './import.events';

/** A worker without progress for this long counts as dead, and another one may continue. */
const TAKE_OVER_AFTER_MS = MINUTE_MS / 2;
/** An upload that has not ended after this time counts as interrupted. */
const UPLOAD_MAX_MS = 60 * MINUTE_MS;

export interface KnownImport {
  readonly status: 'uploading' | 'queued' | 'in_progress' | 'completed' | 'failed';
  readonly id: string;
  readonly scope: Scope;
  readonly deliver: boolean;
  readonly linesTotal: number;
  readonly chunks: number;
  readonly chunksDone: number;
  readonly linesOk: number;
  readonly linesFailed: number;
  readonly worker: string | null;
  readonly failureReason: string | null;
  readonly createdAt: Instant;
  readonly startedAt: Instant | null;
  readonly finishedAt: Instant | null;
  readonly changedAt: Instant;
}

export type Import = { readonly status: 'absent' } | KnownImport;

export const importAggregate: Decider<Import, ImportFact> = {
  initialState: () => ({ status: 'absent' }),
  evolve: (state, fact) => {
    if (fact.type === 'import.created') {
      return {
        status: 'uploading',
        id: fact.data.id,
        scope: { tenantId: fact.data.tenant_id, environment: fact.data.environment },
        deliver: fact.data.deliver,
        linesTotal: 0,
        chunks: 0,
        chunksDone: 0,
        linesOk: 0,
        linesFailed: 0,
        worker: null,
        failureReason: null,
        createdAt: fact.at,
        startedAt: null,
        finishedAt: null,
        changedAt: fact.at,
      };
    }
    if (state.status === 'absent') return state;
    const known = { ...state, changedAt: fact.at };
    switch (fact.type) {
      case 'import.accepted':
        return {
          ...known,
          status: 'queued',
          linesTotal: fact.data.lines_total,
          chunks: fact.data.chunks,
        };
      case 'import.started':
        return {
          ...known,
          status: 'in_progress',
          worker: fact.data.worker,
          startedAt: state.startedAt ?? fact.at,
        };
      case 'import.progressed':
        return {
          ...known,
          chunksDone: fact.data.chunks_done,
          linesOk: fact.data.lines_ok,
          linesFailed: fact.data.lines_failed,
        };
      case 'import.finished':
        return { ...known, status: 'completed', finishedAt: fact.data.finished_at };
      case 'import.failed':
        return {
          ...known,
          status: 'failed',
          failureReason: fact.data.reason,
          finishedAt: fact.data.finished_at,
        };
      default:
        return unreachable(fact);
    }
  },
};

export const requireImport = (state: Import | undefined): KnownImport => {
  if (state !== undefined && state.status !== 'absent') return state;
  throw notFound('import', 'importId');
};

export const createImport =
  (id: string, scope: Scope, deliver: boolean) =>
  (state: Import): ImportFact[] =>
    state.status === 'absent'
      ? [
          {
            type: 'import.created',
            data: { id, tenant_id: scope.tenantId, environment: scope.environment, deliver },
          },
        ]
      : [];

export const acceptImport =
  (linesTotal: number, chunks: number) =>
  (state: Import): ImportFact[] =>
    state.status === 'uploading'
      ? [{ type: 'import.accepted', data: { lines_total: linesTotal, chunks } }]
      : [];

/** Fails an import whose upload did not finish. Does nothing once it was accepted. */
export const interruptUpload =
  (now: Instant) =>
  (state: Import): ImportFact[] =>
    state.status === 'uploading' ? [createFailed('upload_interrupted', now)] : [];

/** Fails an accepted import that cannot be processed. */
export const failImport =
  (reason: string, now: Instant) =>
  (state: Import): ImportFact[] =>
    state.status === 'queued' || state.status === 'in_progress' ? [createFailed(reason, now)] : [];

const createFailed = (reason: string, now: Instant): ImportFact => ({
  type: 'import.failed',
  data: { reason, finished_at: now },
});

/** True if no worker holds the import, or its worker stopped making progress. */
export const canBeClaimed = (state: Import, worker: string, now: Instant): state is KnownImport =>
  state.status === 'queued' ||
  (state.status === 'in_progress' &&
    (state.worker === worker || msBetween(state.changedAt, now) > TAKE_OVER_AFTER_MS));

export const isAbandoned = (state: Import, now: Instant): state is KnownImport =>
  state.status === 'uploading' && msBetween(state.createdAt, now) > UPLOAD_MAX_MS;

/** Claims the import for a worker. Does nothing if the worker already holds it. */
export const claimImport =
  (worker: string, now: Instant) =>
  (state: Import): ImportFact[] =>
    canBeClaimed(state, worker, now) && state.worker !== worker
      ? [{ type: 'import.started', data: { worker } }]
      : [];

export interface ChunkOutcome {
  readonly ok: number;
  readonly errors: readonly ImportLineError[];
  /** Number of errors that the whole import keeps. Further errors are only counted. */
  readonly errorsKeptMax: number;
}

/**
 * Records a finished chunk. Does nothing if another worker holds the import or finished the chunk.
 */
export const recordChunk =
  (worker: string, chunk: number, { ok, errors, errorsKeptMax }: ChunkOutcome) =>
  (state: Import): ImportFact[] =>
    state.status === 'in_progress' && state.worker === worker && state.chunksDone === chunk
      ? [
          {
            type: 'import.progressed',
            data: {
              worker,
              chunks_done: chunk + 1,
              lines_ok: state.linesOk + ok,
              lines_failed: state.linesFailed + errors.length,
              errors: errors.slice(0, Math.max(0, errorsKeptMax - state.linesFailed)),
            },
          },
        ]
      : [];

export const finishImport =
  (worker: string, now: Instant) =>
  (state: Import): ImportFact[] =>
    state.status === 'in_progress' && state.worker === worker && state.chunksDone === state.chunks
      ? [{ type: 'import.finished', data: { finished_at: now } }]
      : [];
