import { warnOfFailure } from '../../event-store/failures';
import type { Aggregates } from '../../event-store/aggregates';
import type { EventStoreConnection } from '../../event-store/connection';
import { readStream } from '../../event-store/read';
import { streams } from '../../event-store/streams';
import { createSystemContext } from '../../event-store/system-context';
import type { Vault } from '../../event-store/vault';
import { DomainError } from '../../kernel/errors';
import { type CommandContext, type Scope, scopeName } from '../../kernel/scope';
import { type Clock, DAY_MS, plusMs } from '../../kernel/time';
import { log } from '../../ops/log';
import { isOutage } from '../../event-store/store-outage';
import { pause, pollUntilStopped, waitAtMost } from '../../ops/polling';
import type { ReadYourWrites } from '../../projections/read-your-writes';
import type { TenantDirectory } from '../../directories/tenant.directory';
import type { NumberedLine } from './grouping';
import type { HistoryImport, RefusedLine } from './history';
import {
  type ChunkOutcome,
  failImport,
  finishImport,
  type Import,
  importAggregate,
  interruptUpload,
  type KnownImport,
  recordChunk,
  claimImport,
} from '../../domain/imports/import.decider';
import type { ImportDirectory } from '../../directories/import.directory';
import type { ImportFact, ImportLineError } from '../../domain/imports/import.events';
import { parseLine } from './import.lines';
import { type Chunk, isBlank } from './import.upload';
import { deleteLines } from './uploaded-lines';

const POLL_MS = 5_000;
const PAUSE_AFTER_FAILURE_MS = 1_000;
/**
 * An import that failed this often in sequence, without an outage, ends as failed, so that later
 * imports can run.
 */
const FAILURES_MAX = 10;
/**
 * Failed imports of this last period are checked for remaining lines, because a process may have
 * died before it deleted them.
 */
const DELETE_AGAIN_WITHIN_MS = 30 * DAY_MS;

export interface ImporterParts {
  readonly connection: EventStoreConnection;
  readonly aggregates: Aggregates;
  readonly vault: Vault;
  readonly directory: ImportDirectory;
  readonly tenants: TenantDirectory;
  readonly history: HistoryImport;
  readonly freshness: ReadYourWrites;
  readonly clock: Clock;
  /** Id of this process. */
  readonly worker: string;
  readonly newCommandId: () => string;
}

/**
 * Processes accepted imports chunk by chunk. Environments take turns, so that a long file does not
 * delay other tenants, and within an environment the oldest import runs first. Progress is stored
 * in the import's own stream. A process that dies causes at most one chunk to be repeated, and a
 * repeated line changes nothing.
 */
export class Importer {
  /** Number of failures of each import since its last progress. */
  private readonly failures = new Map<string, number>();
  /** The number of the last turn of each scope. */
  private readonly servedAt = new Map<string, number>();
  private lastTurn = 0;
  /** The version of the directory when it was last searched for an import. */
  private seen = -1;

  constructor(
    private readonly parts: ImporterParts,
    private readonly pauseAfterFailureMs = PAUSE_AFTER_FAILURE_MS,
  ) {}

  async run(signal: AbortSignal): Promise<void> {
    const { directory } = this.parts;
    await directory.waitUntilReady(signal).catch(() => undefined);
    await this.deleteLinesOfFailed().catch((error: unknown) => {
      warnOfFailure(
        'uploaded lines of failed imports cannot be deleted: the next start tries again',
        'importer',
        error,
      );
    });
    await pollUntilStopped(signal, () => this.processNext(signal), {
      everyMs: POLL_MS,
      afterFailureMs: this.pauseAfterFailureMs,
      wait: (ms, stop) => waitAtMost(ms, stop, (end) => directory.waitUntilChanged(this.seen, end)),
      onFailure: (error) => {
        warnOfFailure('imports cannot continue: it is tried again', 'importer', error);
      },
    });
  }

  /**
   * Processes a chunk of the import whose turn it is. Returns the milliseconds until the next check.
   */
  private async processNext(signal: AbortSignal): Promise<number> {
    const { directory, worker, clock } = this.parts;
    await this.endAbandoned();
    this.seen = directory.version;
    const next = directory.findNext(worker, clock.now(), (scope) => this.findLastTurn(scope));
    if (next === undefined) return POLL_MS;
    try {
      await this.processChunk(next);
      return 0;
    } catch (error) {
      warnOfFailure('an import cannot continue: it is tried again', next.id, error);
      if (!isOutage(error)) await this.recordFailure(next);
      await pause(this.pauseAfterFailureMs, signal);
      return 0;
    }
  }

  private findLastTurn(scope: Scope): number {
    return this.servedAt.get(scopeName(scope)) ?? 0;
  }

  private async recordFailure(broken: KnownImport): Promise<void> {
    const faults = (this.failures.get(broken.id) ?? 0) + 1;
    this.failures.set(broken.id, faults);
    if (faults < FAILURES_MAX) return;
    this.failures.delete(broken.id);
    log.error({ import_id: broken.id }, 'an import failed too often and ends');
    await this.endImport(broken, failImport('internal_error', this.parts.clock.now())).catch(
      (error: unknown) => {
        warnOfFailure(
          'an import that failed too often cannot be ended: it is tried again',
          broken.id,
          error,
        );
      },
    );
  }

  private async endAbandoned(): Promise<void> {
    const now = this.parts.clock.now();
    for (const found of this.parts.directory.listAbandoned(now)) {
      await this.endImport(found, interruptUpload(now));
    }
  }

  private async endImport(
    found: KnownImport,
    decide: (state: Import) => ImportFact[],
  ): Promise<void> {
    const { status } = await this.storeFact(found, decide);
    // The import may have been accepted in the meantime. Its lines are still needed then.
    if (status === 'failed') await deleteLines(this.parts, found.id);
  }

  private async deleteLinesOfFailed(): Promise<void> {
    const { directory, clock } = this.parts;
    const since = plusMs(clock.now(), -DELETE_AGAIN_WITHIN_MS);
    for (const { id } of directory.listFailedSince(since)) await deleteLines(this.parts, id);
  }

  /** Processes one chunk, and ends the import after the last one. */
  private async processChunk(accepted: KnownImport): Promise<void> {
    const { worker, clock } = this.parts;
    this.servedAt.set(scopeName(accepted.scope), (this.lastTurn += 1));
    let state = await this.storeFact(accepted, claimImport(worker, clock.now()));
    if (isOwnedBy(state, worker) && state.chunksDone < state.chunks) {
      const outcome = await this.importChunk(state);
      state = await this.storeProgress(accepted, recordChunk(worker, state.chunksDone, outcome));
      this.failures.delete(accepted.id);
    }
    if (!isOwnedBy(state, worker) || state.chunksDone < state.chunks) return;
    await deleteLines(this.parts, accepted.id);
    const ended = await this.storeFact(accepted, finishImport(worker, clock.now()));
    if (ended.status === 'absent') return;
    log.info(
      { import_id: accepted.id, lines_ok: ended.linesOk, lines_failed: ended.linesFailed },
      'import.finished',
    );
  }

  /**
   * Stores a fact of an import, waits until the directory of this process contains it, and makes
   * later reads wait for it.
   */
  private async storeFact(
    found: KnownImport,
    decide: (state: Import) => ImportFact[],
  ): Promise<Import> {
    const { aggregates, directory, freshness } = this.parts;
    const stream = streams.import(found.id);
    const context = {
      ...this.createContext(),
      wrote: (position: bigint) => {
        freshness.recordWrite(scopeName(found.scope), position);
      },
    };
    const { state, revision } = await aggregates.run(importAggregate, stream, context, (moment) =>
      decide(moment.state),
    );
    await directory.waitForRevision(stream.name, revision, POLL_MS);
    return state;
  }

  /** Stores the progress of an import; no read waits for it. */
  private async storeProgress(
    { id }: KnownImport,
    decide: (state: Import) => ImportFact[],
  ): Promise<Import> {
    const { state } = await this.parts.aggregates.run(
      importAggregate,
      streams.import(id),
      this.createContext(),
      (moment) => decide(moment.state),
    );
    return state;
  }

  /**
   * Creates the context of an import command. Reads do not wait for imported events; the end of the
   * import is stored after them.
   */
  private createContext(): CommandContext {
    return {
      ...createSystemContext('imports', this.parts.clock),
      commandId: this.parts.newCommandId(),
      actor: 'api',
    };
  }

  private async importChunk(state: KnownImport): Promise<ChunkOutcome> {
    const { tenants, history } = this.parts;
    const { id, scope, deliver } = state;
    const { first, lines } = await this.readChunk(state);
    const { parsed, refused } = parseChunk(lines, first);
    const { name, settings } = tenants.requireUndeleted(scope.tenantId);
    const context = {
      ...this.createContext(),
      origin: { by: { type: 'system', id: 'imports', name: `import ${id}` } } as const,
      scope,
      tenant: { id: scope.tenantId, name },
      imported: { id, deliver },
    };
    const unfit = await history.importLines(context, parsed);
    const errors = [...refused, ...unfit].sort((a, b) => a.line - b.line).map(toLineError);
    const errorsKeptMax = settings.max_import_errors;
    return { ok: parsed.length - unfit.length, errors, errorsKeptMax };
  }

  private async readChunk({
    id,
    chunksDone,
  }: KnownImport): Promise<{ first: number; lines: Chunk }> {
    const { connection, vault } = this.parts;
    const { name } = streams.importLines(id);
    const options = { from: chunksDone, maxCount: 1 };
    for await (const { data } of readStream(connection.client, name, options)) {
      const text = await vault.openText(id, data['sealed'] as string);
      if (text === null) break;
      return { first: data['first'] as number, lines: JSON.parse(text) as Chunk };
    }
    throw new Error(`chunk ${chunksDone} of ${id} is missing`);
  }
}

const isOwnedBy = (state: Import, worker: string): state is KnownImport =>
  state.status === 'in_progress' && state.worker === worker;

const parseChunk = (
  lines: Chunk,
  first: number,
): { readonly parsed: NumberedLine[]; readonly refused: RefusedLine[] } => {
  const parsed: NumberedLine[] = [];
  const refused: RefusedLine[] = [];
  lines.forEach((text, i) => {
    if (isBlank(text)) return;
    const line = first + i;
    try {
      parsed.push({ line, value: parseLine(text) });
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      refused.push({ line, error });
    }
  });
  return { parsed, refused };
};

const toLineError = ({ line, error: { code, message, facts } }: RefusedLine): ImportLineError => ({
  line,
  code,
  param: facts.param ?? null,
  message,
});
