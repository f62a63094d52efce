import { Readable } from 'node:stream';
import type { Decide } from '../../event-store/aggregates';
import type { Aggregate } from '../../kernel/aggregate';
import { noon } from '../../../test/support/given';
import { until } from '../../../test/support/until';
import type { Stream } from '../../event-store/streams';
import { createEntropy } from '../../event-store/entropy';
import type { Scope } from '../../kernel/scope';
import {
  acceptImport,
  createImport,
  failImport,
  type Import,
  importAggregate,
} from '../../domain/imports/import.decider';
import { ImportDirectory } from '../../directories/import.directory';
import type { ImportFact } from '../../domain/imports/import.events';
import { Importer, type ImporterParts } from './importer';

interface Upload {
  readonly id: string;
  readonly tenantId: string;
  readonly chunks: number;
}

/** Imports in memory, and an importer that processes them. */
class Stage {
  private readonly states = new Map<string, Import>();
  /** Ids of the imports, one per processed chunk, in order. */
  readonly taken: string[] = [];
  /** Types of the stored facts of each import, by its stream. */
  readonly stated: string[] = [];
  readonly deleted: string[] = [];

  accept({ id, tenantId, chunks }: Upload): void {
    const scope: Scope = { tenantId, environment: 'live' };
    for (const decide of [createImport(id, scope, false), acceptImport(chunks, chunks)]) {
      this.apply(`import-${id}`, decide(this.of(id)));
    }
  }

  of(id: string): Import {
    return this.states.get(`import-${id}`) ?? importAggregate.initialState();
  }

  async untilEnded(...ids: string[]): Promise<void> {
    const stop = new AbortController();
    const running = new Importer(this.parts()).run(stop.signal);
    const isEnded = (id: string): boolean => ['completed', 'failed'].includes(this.of(id).status);
    try {
      await until('their end', () => ids.every(isEnded));
    } finally {
      stop.abort();
      await running;
    }
  }

  apply(stream: string, facts: readonly ImportFact[]): void {
    for (const fact of facts) {
      const state = this.states.get(stream) ?? importAggregate.initialState();
      this.states.set(stream, importAggregate.evolve(state, { ...fact, at: noon }));
      this.stated.push(`${stream} ${fact.type}`);
    }
  }

  private readonly run = async (
    _: Aggregate<Import, ImportFact>,
    { name }: Stream,
    __: unknown,
    decide: Decide<Import, ImportFact>,
  ) => {
    const state = this.states.get(name) ?? importAggregate.initialState();
    const facts = await decide({ state, now: noon, entropy: createEntropy('') });
    this.apply(name, facts);
    return { state: this.states.get(name), revision: 0 };
  };

  private parts(): ImporterParts {
    const directory = new ImportDirectory(null as never);
    Object.assign(directory, {
      listStates: () => [...this.states.values()],
      waitUntilReady: () => Promise.resolve(),
      waitForRevision: () => Promise.resolve(),
    });
    const stored = (stream: string, revision: bigint) => ({
      event: {
        isJson: true,
        created: new Date(noon),
        id: '00000000-0000-7000-8000-000000000000',
        type: 'import_lines.received',
        streamId: stream,
        revision,
        data: { first: 1, sealed: '["{}"]' },
        metadata: { schema: 'v1', at: noon },
      },
    });
    const client = {
      readStream: (stream: string, { fromRevision }: { fromRevision: bigint }) => {
        this.taken.push(stream.slice('import_lines-'.length));
        return Readable.from([stored(stream, fromRevision)]);
      },
      tombstoneStream: (stream: string) => {
        this.deleted.push(stream);
        return Promise.resolve();
      },
    };
    return {
      connection: { client },
      aggregates: { run: this.run },
      vault: {
        openText: (_: string, text: string) => Promise.resolve(text),
        erase: () => Promise.resolve(),
      },
      directory,
      tenants: {
        requireUndeleted: () => ({ name: 'Acme', settings: { max_import_errors: 1_000 } }),
      },
      history: { importLines: () => Promise.resolve([]) },
      freshness: { wrote: () => undefined },
      clock: { now: () => noon },
      worker: 'me',
      newCommandId: () => 'c',
    } as unknown as ImporterParts;
  }
}

describe('imports', () => {
  it('take turns by environment and run in order of acceptance within one', async () => {
    const stage = new Stage();
    stage.accept({ id: 'imp_a1', tenantId: 'tnt_a', chunks: 4 });
    stage.accept({ id: 'imp_a2', tenantId: 'tnt_a', chunks: 1 });
    stage.accept({ id: 'imp_b', tenantId: 'tnt_b', chunks: 2 });
    stage.accept({ id: 'imp_c', tenantId: 'tnt_c', chunks: 1 });
    await stage.untilEnded('imp_a1', 'imp_a2', 'imp_b', 'imp_c');
    const [a1, a2, b, c] = ['imp_a1', 'imp_a2', 'imp_b', 'imp_c'];
    expect(stage.taken).toEqual([a1, b, c, a1, b, a1, a1, a2]);
  });

  it('are started once and leave no uploaded lines', async () => {
    const stage = new Stage();
    stage.accept({ id: 'imp_a', tenantId: 'tnt_a', chunks: 3 });
    await stage.untilEnded('imp_a');
    const step = 'import-imp_a import.progressed';
    expect(stage.stated.slice(2)).toEqual([
      'import-imp_a import.started',
      ...[step, step, step],
      'import-imp_a import.finished',
    ]);
    expect(stage.deleted).toEqual(['import_lines-imp_a']);
  });

  it('delete the lines of an import that had failed when the process died', async () => {
    const stage = new Stage();
    stage.accept({ id: 'imp_a', tenantId: 'tnt_a', chunks: 1 });
    stage.accept({ id: 'imp_b', tenantId: 'tnt_a', chunks: 1 });
    const failed = failImport('internal_error', noon)(stage.of('imp_a'));
    stage.apply('import-imp_a', failed);
    await stage.untilEnded('imp_b');
    expect(stage.deleted).toEqual(['import_lines-imp_a', 'import_lines-imp_b']);
  });
});
