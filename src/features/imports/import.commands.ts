import type { Readable } from 'node:stream';
import { randomUUID } from 'node:crypto';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { SCHEMA_VERSION } from '../../event-store/stored-event';
import { Aggregates } from '../../event-store/aggregates';
import { append, StreamTombstoned } from '../../event-store/append';
import { EventStoreConnection } from '../../event-store/connection';
import { streams } from '../../event-store/streams';
import { Vault } from '../../event-store/vault';
import { createEntropy, newCommandId } from '../../event-store/entropy';
import { DomainError } from '../../kernel/errors';
import { newId } from '../../kernel/ids';
import type { TenantContext } from '../../kernel/scope';
import { DAY_MS, msBetween, plusMs } from '../../kernel/time';
import type { ReservedObject } from '../../domain/quotas/quota-reservations.decider';
import { Quotas } from '../../services/quotas/quotas';
import {
  acceptImport,
  createImport,
  type Import,
  importAggregate,
  interruptUpload,
  type KnownImport,
  requireImport,
} from '../../domain/imports/import.decider';
import { ImportDirectory, type LinesCount } from '../../directories/import.directory';
import type { ImportFact } from '../../domain/imports/import.events';
import { type Chunk, toChunks, isBlank, readLines } from '../../services/importing/import.upload';
import { deleteLines } from '../../services/importing/uploaded-lines';

const VISIBILITY_TIMEOUT_MS = 5_000;

export class CreateImport extends Command<KnownImport> {
  constructor(
    readonly context: TenantContext,
    readonly body: Readable,
    readonly deliver: boolean,
  ) {
    super();
  }
}

/** Stores an upload in the log, sealed. The import is accepted once all of it is stored durably. */
@CommandHandler(CreateImport)
export class CreateImportHandler implements ICommandHandler<CreateImport> {
  constructor(
    private readonly aggregates: Aggregates,
    readonly connection: EventStoreConnection,
    readonly vault: Vault,
    private readonly directory: ImportDirectory,
    private readonly quotas: Quotas,
  ) {}

  async execute({ context, body, deliver }: CreateImport): Promise<KnownImport> {
    const stored = context.resumed ? await this.findAccepted(context) : null;
    if (stored !== null) {
      await readToEnd(body);
      return stored;
    }
    const linesLeft = this.countLinesLeft(context);
    // A repeated upload gets a new id, so that its lines are not mixed with those of the
    // interrupted upload.
    const id = newId('imp', context.resumed ? createEntropy(newCommandId()) : context.entropy);
    await this.changeState(context, id, createImport(id, context.scope, deliver));
    await this.vault.create(id, context);
    try {
      const { lines, chunks } = await this.storeLines(context, { id, body, linesLeft });
      await this.reserveLines(context, id, lines);
      return requireImport(await this.changeState(context, id, acceptImport(lines, chunks)));
    } catch (error) {
      const { status } = await this.changeState(context, id, interruptUpload(context.now));
      // The lines that arrived are personal data, and no worker will process them.
      if (status === 'failed') await deleteLines(this, id);
      throw error instanceof StreamTombstoned ? uploadTooSlowError() : error;
    }
  }

  /** Counts the lines of a complete upload towards the quota, also among parallel uploads. */
  private reserveLines(context: TenantContext, id: string, lines: number): Promise<void> {
    return this.quotas.reserve(context, {
      quota: 'max_import_lines_per_day',
      id,
      amount: lines,
      count: () => this.countLines(context),
      loadObject: (importId) => this.loadReserved(importId),
      createError: () => this.createQuotaError(context),
    });
  }

  private async loadReserved(importId: string): Promise<ReservedObject> {
    const { state } = await this.aggregates.load(importAggregate, streams.import(importId));
    if (state.status === 'absent' || state.status === 'uploading') return 'absent';
    return state.linesTotal === 0 ? 'gone' : 'stored';
  }

  /**
   * Returns how many more lines the environment may import within 24 hours. Throws if there are
   * none.
   */
  private countLinesLeft(context: TenantContext): number {
    const { scope } = context;
    const { max_import_lines_per_day: max } = this.quotas.readSettings(scope);
    const left = max - this.countLines(context).used;
    if (left <= 0) throw this.createQuotaError(context);
    return left;
  }

  private createQuotaError(context: TenantContext): DomainError {
    const { scope, now } = context;
    const { max_import_lines_per_day: limit } = this.quotas.readSettings(scope);
    const { oldestAt } = this.countLines(context);
    // Lines become free when the oldest import is a day old.
    const waitMs = DAY_MS - (oldestAt === null ? 0 : msBetween(oldestAt, now));
    return new DomainError(
      'daily_quota_exceeded',
      `At most ${limit} lines are imported within 24 hours. Send the rest later.`,
      {
        details: {
          quota: 'max_import_lines_per_day',
          limit,
          reason: 'endpoint-rate',
          retry_after_seconds: Math.max(1, Math.ceil(waitMs / 1000)),
        },
      },
    );
  }

  /** Counts the lines that were imported in the environment within the last 24 hours. */
  private countLines({ scope, now }: TenantContext): LinesCount {
    return this.directory.countLinesSince(scope, plusMs(now, -DAY_MS));
  }

  /** Returns the import of an earlier run of the request; null if its upload was incomplete. */
  private async findAccepted({ entropy }: TenantContext): Promise<KnownImport | null> {
    const stream = streams.import(newId('imp', entropy));
    const { state } = await this.aggregates.load(importAggregate, stream);
    const incomplete = ['absent', 'uploading', 'failed'].includes(state.status);
    return incomplete ? null : requireImport(state);
  }

  private async storeLines(
    context: TenantContext,
    { id, body, linesLeft }: { id: string; body: Readable; linesLeft: number },
  ): Promise<{ lines: number; chunks: number }> {
    const { now, commandId } = context;
    let lines = 0;
    let chunks = 0;
    let first = 1;
    for await (const chunk of toChunks(readLines(body))) {
      await append(this.connection, {
        stream: streams.importLines(id).name,
        expected: chunks - 1,
        events: [
          {
            uuid: randomUUID(),
            type: 'import_lines.received',
            data: { first, sealed: await this.sealChunk(id, chunk) },
            metadata: { schema: SCHEMA_VERSION, at: now, command: commandId },
          },
        ],
      });
      lines += chunk.filter((line) => !isBlank(line)).length;
      if (lines > linesLeft) throw this.createQuotaError(context);
      first += chunk.length;
      chunks += 1;
    }
    return { lines, chunks };
  }

  private async sealChunk(id: string, chunk: Chunk): Promise<string> {
    const sealed = await this.vault.sealText(id, JSON.stringify(chunk));
    if (sealed !== null) return sealed;
    throw uploadTooSlowError();
  }

  private async changeState(
    context: TenantContext,
    id: string,
    decide: (state: Import) => ImportFact[],
  ): Promise<Import> {
    const stream = streams.import(id);
    const { state, revision } = await this.aggregates.run(
      importAggregate,
      stream,
      // Each step is a command of its own, so it has its own id.
      { ...context, resumed: false, commandId: randomUUID().replaceAll('-', '') },
      (moment) => decide(moment.state),
    );
    await this.directory.waitForRevision(stream.name, revision, VISIBILITY_TIMEOUT_MS);
    return state;
  }
}

/**
 * The error of an upload that took so long that the service had erased its lines before it was
 * complete.
 */
const uploadTooSlowError = (): DomainError =>
  new DomainError('service_unavailable', 'The upload took too long. Send it again.');

/**
 * Reads a body to its end. The check that a repeated Idempotency-Key has the same body is made at
 * the end of the body.
 */
const readToEnd = async (body: Readable): Promise<void> => {
  for await (const _ of body);
};
