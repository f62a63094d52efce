import { setTimeout as delay } from 'node:timers/promises';
import { warnOfFailure } from '../../event-store/failures';
import type { Aggregates } from '../../event-store/aggregates';
import type { EventStoreConnection } from '../../event-store/connection';
import { readStream } from '../../event-store/read';
import { streams } from '../../event-store/streams';
import type { Vault } from '../../event-store/vault';
import { DomainError } from '../../kernel/errors';
import { createSystemOrigin, type CommandContext, type Scope, scopeName } from '../../kernel/scope';
import { type Clock, DAY_MS, plusMs } from '../../kernel/time';
import { log } from '../../ops/log';
import { isOutage } from '../../event-store/store-outage';
import { within } from '../../ops/within';
import type { ReadYourWrites } from '../../projections/read-your-writes';
import type { TenantDirectory } from '../../directories/tenant.directory';
import type { Numbered } from './grouping';
import type { History, Refusal } from './history';
import {
  type ChunkOutcome,
  fail,
  finish,
  type Import,
  importAggregate,
  interrupt,
  type KnownImport,
  progress,
  start,
} from '../../domain/imports/import.decider';
import type { ImportDirectory } from '../../directories/import.directory';
import type { ImportFact, ImportLineError } from '../../domain/imports/import.events';
import { parseLine } from './import.lines';
import { type Chunk, isBlank } from './import.upload';
import { forgetLines } from './uploaded-lines';

const LOOK_EVERY_MS = 5_000;
const PAUSE_AFTER_FAULT_MS = 1_000;
/** A job that broke so often, and by no outage, ends: the ones behind it are not to wait for ever. */
const FAULTS_MAX = 10;
/** A process that died right after it stated a failure may have left the lines, for the next to find. */
const FORGET_AGAIN_MS = 30 * DAY_MS;

export interface ImporterParts {
  readonly connection: EventStoreConnection;
  readonly aggregates: Aggregates;
  readonly vault: Vault;
  readonly directory: ImportDirectory;
  readonly tenants: TenantDirectory;
  readonly history: History;
  readonly freshness: ReadYourWrites;
  readonly clock: Clock;
  /** Names this process. */
  readonly worker: string;
  readonly newCommandId: () => string;
}

/**
 * Works accepted imports off, chunk by chunk; environments take turns, so that a long file holds up no
 * other tenant's, and within one the oldest import is ended first. Progress is stated in the import's own
 * stream; a process that dies leaves at most one chunk to be done again, and a line that is taken
 * over twice changes nothing.
 */
export class Importer {
  /** How often each job has broken since it last got on. */
  private readonly faults = new Map<string, number>();
  /** Number of each scope's last turn. */
  private readonly servedAt = new Map<string, number>();
  private turns = 0;

  constructor(private readonly parts: ImporterParts) {}

  async run(signal: AbortSignal): Promise<void> {
    const { directory, worker, clock } = this.parts;
    await directory.whenReady(signal).catch(() => undefined);
    await this.forgetFailed().catch((error: unknown) => {
      warnOfFailure('lines of failed imports may be left', 'importer', error);
    });
    while (!signal.aborted) {
      let next: KnownImport | undefined;
      try {
        await this.endAbandoned();
        next = directory.findNext(worker, clock.now(), (scope) => this.lastTurn(scope));
        if (next === undefined) await this.pause(signal);
        else await this.work(next);
      } catch (error) {
        warnOfFailure('an import is waiting', next?.id ?? 'importer', error);
        if (next !== undefined && !isOutage(error)) await this.noteFault(next);
        await delay(PAUSE_AFTER_FAULT_MS, undefined, { signal }).catch(() => undefined);
      }
    }
  }

  private lastTurn(scope: Scope): number {
    return this.servedAt.get(scopeName(scope)) ?? 0;
  }

  private async noteFault(broken: KnownImport): Promise<void> {
    const faults = (this.faults.get(broken.id) ?? 0) + 1;
    this.faults.set(broken.id, faults);
    if (faults < FAULTS_MAX) return;
    this.faults.delete(broken.id);
    log.error({ import_id: broken.id }, 'an import breaks every time: it has failed');
    await this.end(broken, fail('internal_error', this.parts.clock.now())).catch(
      (error: unknown) => {
        warnOfFailure('a broken import is still there', broken.id, error);
      },
    );
  }

  private async pause(signal: AbortSignal): Promise<void> {
    const change = (either: AbortSignal): Promise<void> => this.parts.directory.nextChange(either);
    await within(signal, LOOK_EVERY_MS, change).catch(() => undefined);
  }

  private async endAbandoned(): Promise<void> {
    const now = this.parts.clock.now();
    for (const found of this.parts.directory.listAbandoned(now)) {
      await this.end(found, interrupt(now));
    }
  }

  private async end(found: KnownImport, decide: (state: Import) => ImportFact[]): Promise<void> {
    const { status } = await this.state(found, decide);
    // An abandoned one may have been accepted just now: then its lines are still to be worked off.
    if (status === 'failed') await forgetLines(this.parts, found.id);
  }

  private async forgetFailed(): Promise<void> {
    const { directory, clock } = this.parts;
    const since = plusMs(clock.now(), -FORGET_AGAIN_MS);
    for (const { id } of directory.listFailedSince(since)) await forgetLines(this.parts, id);
  }

  /** One chunk, and the end of it where that was the last one. */
  private async work(accepted: KnownImport): Promise<void> {
    const { worker, clock } = this.parts;
    this.servedAt.set(scopeName(accepted.scope), (this.turns += 1));
    let state = await this.state(accepted, start(worker, clock.now()));
    if (isWorkedBy(state, worker) && state.chunksDone < state.chunks) {
      const outcome = await this.takeOver(state);
      state = await this.noted(accepted, progress(worker, state.chunksDone, outcome));
      this.faults.delete(accepted.id);
    }
    if (!isWorkedBy(state, worker) || state.chunksDone < state.chunks) return;
    await forgetLines(this.parts, accepted.id);
    const ended = await this.state(accepted, finish(worker, clock.now()));
    if (ended.status === 'absent') return;
    log.info(
      { import_id: accepted.id, lines_ok: ended.linesOk, lines_failed: ended.linesFailed },
      'import.finished',
    );
  }

  /** States what becomes of an import; this process knows it, and reads wait for it. */
  private async state(
    found: KnownImport,
    decide: (state: Import) => ImportFact[],
  ): Promise<Import> {
    const { aggregates, directory, freshness } = this.parts;
    const stream = streams.import(found.id);
    const context = {
      ...this.context(),
      wrote: (position: bigint) => {
        freshness.recordWrite(scopeName(found.scope), position);
      },
    };
    const { state, revision } = await aggregates.run(importAggregate, stream, context, (moment) =>
      decide(moment.state),
    );
    await directory.whenKnown(stream.name, revision, LOOK_EVERY_MS);
    return state;
  }

  /** States progress; nobody waits for it. */
  private async noted(
    { id }: KnownImport,
    decide: (state: Import) => ImportFact[],
  ): Promise<Import> {
    const { state } = await this.parts.aggregates.run(
      importAggregate,
      streams.import(id),
      this.context(),
      (moment) => decide(moment.state),
    );
    return state;
  }

  /** Nobody's reads wait for what is being taken over: whoever sees it ended reads all of it. */
  private context(): CommandContext {
    return {
      commandId: this.parts.newCommandId(),
      now: this.parts.clock.now(),
      actor: 'api',
      origin: createSystemOrigin('imports'),
      entropy: () => new Uint8Array(16),
      resumed: false,
      wrote: () => undefined,
    };
  }

  private async takeOver(state: KnownImport): Promise<ChunkOutcome> {
    const { tenants, history } = this.parts;
    const { id, scope, deliver } = state;
    const { first, lines } = await this.chunk(state);
    const { parsed, refused } = parse(lines, first);
    const { name, settings } = tenants.require(scope.tenantId);
    const context = {
      ...this.context(),
      origin: { by: { type: 'system', id: 'imports', name: `import ${id}` } } as const,
      scope,
      tenant: { id: scope.tenantId, name },
      imported: { id, deliver },
    };
    const unfit = await history.takeOver(context, parsed);
    const errors = [...refused, ...unfit].sort((a, b) => a.line - b.line).map(errorOf);
    const errorsKeptMax = settings.max_import_errors;
    return { ok: parsed.length - unfit.length, errors, errorsKeptMax };
  }

  private async chunk({ id, chunksDone }: KnownImport): Promise<{ first: number; lines: Chunk }> {
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

const isWorkedBy = (state: Import, worker: string): state is KnownImport =>
  state.status === 'in_progress' && state.worker === worker;

const parse = (
  lines: Chunk,
  first: number,
): { readonly parsed: Numbered[]; readonly refused: Refusal[] } => {
  const parsed: Numbered[] = [];
  const refused: Refusal[] = [];
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

const errorOf = ({ line, error: { code, message, facts } }: Refusal): ImportLineError => ({
  line,
  code,
  param: facts.param ?? null,
  message,
});
