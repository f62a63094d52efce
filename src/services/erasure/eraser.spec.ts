import { until } from '../../../test/support/until';
import type { Database, Query } from '../../read-models/database';
import { Eraser } from './eraser';

const SCOPE = 'tnt_0000000000000000.test';

/** Runs an eraser over pending erasures, some of which always fail. */
class EraserStage {
  readonly forgotten: string[] = [];
  readonly tried: string[] = [];

  constructor(
    readonly pending: string[],
    private readonly broken: readonly string[],
  ) {}

  eraser(): Eraser {
    return new Eraser({
      vault: {
        erase: (id: string) => {
          this.tried.push(id);
          return this.broken.includes(id) ? Promise.reject(new Error(id)) : Promise.resolve();
        },
      },
      aggregates: { stopCaching: () => undefined },
      idempotency: { forget: () => Promise.resolve() },
      mailFiles: { deleteForEvents: () => Promise.resolve() },
      database: { query: (query: Query) => Promise.resolve(this.answer(query)) } as Database,
    } as unknown as ConstructorParameters<typeof Eraser>[0]);
  }

  /** Returns a page of pending erasures after the given one, in order. */
  private answer({ text, values = [] }: Query): object[] {
    if (!text.includes('from erasures')) return [];
    if (text.startsWith('select')) {
      const after = (values[1] as string | undefined) ?? '';
      return this.pending
        .filter((id) => id > after)
        .slice(0, 100)
        .map((id) => ({ scope: SCOPE, id }));
    }
    const id = String(values[1]);
    this.pending.splice(this.pending.indexOf(id), 1);
    this.forgotten.push(id);
    return [];
  }
}

const createNames = (from: number, count: number): string[] =>
  Array.from({ length: count }, (_, i) => `subscriber_${String(from + i).padStart(4, '0')}`);

describe('the eraser', () => {
  it('completes the other erasures if some always fail', async () => {
    // The failing erasures fill more than one page and come before the others.
    const broken = createNames(0, 120);
    const rest = createNames(200, 120);
    const stage = new EraserStage([...broken, ...rest], broken);
    const stop = new AbortController();
    const running = stage.eraser().run(stop.signal);
    try {
      await until('the rest to be forgotten', () => stage.forgotten.length === rest.length, 5_000);
    } finally {
      stop.abort();
      await running;
    }
    expect(stage.forgotten).toEqual(rest);
    expect(stage.pending).toEqual(broken);
    // Each failing erasure is tried once in each round.
    expect(stage.tried.filter((id) => id === broken[0])).toHaveLength(1);
  });
});
