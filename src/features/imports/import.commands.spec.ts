import { type Quotas } from '../../services/quotas/quotas';
import { Readable } from 'node:stream';
import type { Aggregates, Decide } from '../../event-store/aggregates';
import type { Aggregate } from '../../kernel/aggregate';
import { LinkProgress } from '../../event-store/link-progress';
import { type EventStoreConnection, NO_METRICS } from '../../event-store/connection';
import type { Vault } from '../../event-store/vault';
import { createEntropy } from '../../event-store/entropy';
import type { TenantContext } from '../../kernel/scope';
import type { Clock, Instant } from '../../kernel/time';
import { CreateImport, CreateImportHandler } from './import.commands';
import { type Import, importAggregate } from '../../domain/imports/import.decider';
import type { ImportDirectory } from '../../directories/import.directory';
import type { ImportFact } from '../../domain/imports/import.events';
import { Importer, type ImporterParts } from '../../services/importing/importer';

const NOW = '2026-03-01T12:00:00.000Z' as Instant;
const LATER = '2026-03-01T14:00:00.000Z' as Instant;

/** A store that contains the stream of one import only. */
class FakeAggregates {
  state: Import = importAggregate.initialState();
  /** If true, the acceptance is stored but the caller gets an error. */
  loseResponse = false;

  load = (): Promise<{ state: Import }> => Promise.resolve({ state: this.state });

  run = async (
    _: Aggregate<Import, ImportFact>,
    __: unknown,
    ___: unknown,
    decide: Decide<Import, ImportFact>,
  ): Promise<{ state: Import; revision: number }> => {
    const facts = await decide({ state: this.state, now: NOW, entropy: createEntropy('') });
    for (const fact of facts) this.state = importAggregate.evolve(this.state, { ...fact, at: NOW });
    if (this.loseResponse && facts.some(({ type }) => type === 'import.accepted'))
      throw new Error('the response was lost');
    return { state: this.state, revision: 0 };
  };
}

describe('an upload', () => {
  let stream: FakeAggregates;
  let forgotten: string[];
  let vault: Vault;
  let deleted: string[];
  const directory = {
    listFailedSince: () => [],
    waitForRevision: () => Promise.resolve(),
    waitUntilReady: () => Promise.resolve(),
    findNext: () => undefined,
    version: 0,
    waitUntilChanged: (_since: number, signal: AbortSignal) =>
      new Promise((_, reject) => {
        signal.addEventListener('abort', reject);
      }),
  };

  beforeEach(() => {
    stream = new FakeAggregates();
    forgotten = [];
    deleted = [];
    vault = {
      create: () => Promise.resolve(),
      sealText: (_: string, text: string) => Promise.resolve(text),
      erase: (id: string) => {
        forgotten.push(id);
        return Promise.resolve();
      },
    } as unknown as Vault;
  });

  const tombstoneStream = (name: string): Promise<void> => {
    deleted.push(name);
    return Promise.resolve();
  };

  const upload = (body: Readable, resumed = false) =>
    new CreateImportHandler(
      stream as unknown as Aggregates,
      {
        client: { tombstoneStream },
        appends: { append: () => Promise.resolve({ revision: 0, position: 0n }) },
        links: new LinkProgress(),
        appendMetrics: NO_METRICS,
      } as unknown as EventStoreConnection,
      vault,
      {
        ...directory,
        countLinesSince: () => ({ used: 0, oldestAt: null, counted: new Set() }),
      } as unknown as ImportDirectory,
      {
        readSettings: () => ({ max_import_lines_per_day: 1_000 }),
        reserve: () => Promise.resolve(),
      } as unknown as Quotas,
    ).execute(new CreateImport({ ...context, resumed }, body, false));

  it('that is cut off leaves no readable data', async () => {
    const body = Readable.from(
      (function* () {
        yield Buffer.from('{"kind":"subscriber","external_id":"1","email":"ada@example.com"}\n');
        throw new Error('cut off');
      })(),
    );
    await expect(upload(body)).rejects.toThrow('cut off');
    expect(stream.state).toMatchObject({ status: 'failed' });
    expect(forgotten).toEqual([expect.stringMatching(/^imp_/)]);
    expect(deleted).toEqual([`import_lines-${forgotten[0]!}`]);
  });

  it('that was accepted keeps its lines even if the caller gets no response', async () => {
    stream.loseResponse = true;
    await expect(upload(Readable.from([Buffer.from('{}\n')]))).rejects.toThrow(
      'the response was lost',
    );
    expect(stream.state).toMatchObject({ status: 'queued' });
    expect(forgotten).toEqual([]);
  });

  it('that repeats an accepted one is answered after its body was read to the end', async () => {
    const accepted = await upload(Readable.from([Buffer.from('{}\n')]));
    const same = Readable.from([Buffer.from('{}\n')]);
    expect(await upload(same, true)).toEqual(accepted);
    expect(same.readableEnded).toBe(true);
    const other = Readable.from(
      (function* () {
        yield Buffer.from('{');
        throw new Error('another body');
      })(),
    );
    await expect(upload(other, true)).rejects.toThrow('another body');
    expect(stream.state).toEqual(accepted);
  });

  it('that is accepted just when it is abandoned after an hour keeps its lines', async () => {
    await upload(Readable.from([Buffer.from('{}\n')]));
    const { state } = stream;
    const stop = new AbortController();
    const parts = {
      aggregates: stream,
      vault,
      // The directory of this process has not been notified of the acceptance yet.
      directory: { ...directory, listAbandoned: () => [{ ...state, status: 'uploading' }] },
      freshness: { wrote: () => undefined },
      clock: { now: () => LATER } as Clock,
      worker: 'me',
      newCommandId: () => 'c',
    } as unknown as ImporterParts;
    const running = new Importer(parts).run(stop.signal);
    setTimeout(() => {
      stop.abort();
    }, 50);
    await running;
    expect(stream.state).toMatchObject({ status: 'queued' });
    expect(forgotten).toEqual([]);
  });

  it('that cannot be processed ends as failed, so that the next imports can run', async () => {
    await upload(Readable.from([Buffer.from('{}\n')]));
    const stop = new AbortController();
    const worked: string[] = [];
    const parts = {
      connection: {
        client: {
          readStream: () => {
            worked.push(stream.state.status);
            throw new TypeError('cannot read this');
          },
          tombstoneStream,
        },
      },
      aggregates: stream,
      vault,
      directory: {
        ...directory,
        listAbandoned: () => [],
        findNext: () => {
          if (stream.state.status !== 'failed') return stream.state;
          setTimeout(() => {
            stop.abort();
          });
          return undefined;
        },
      },
      freshness: { wrote: () => undefined },
      clock: { now: () => LATER } as Clock,
      worker: 'me',
      newCommandId: () => 'c',
    } as unknown as ImporterParts;
    await new Importer(parts, 1).run(stop.signal);
    expect(stream.state).toMatchObject({ status: 'failed' });
    expect(worked).toHaveLength(10);
    expect(forgotten).toEqual([expect.stringMatching(/^imp_/)]);
  });
});

const context: TenantContext = {
  scope: { tenantId: 'tnt_0', environment: 'test' },
  tenant: { id: 'tnt_0', name: 'Acme' },
  commandId: 'c',
  now: NOW,
  actor: 'api',
  entropy: createEntropy('c'),
  resumed: false,
  wrote: () => undefined,
};
