import { setTimeout as delay } from 'node:timers/promises';
import type { Decide } from '../../src/event-store/aggregates';
import type { Stream } from '../../src/event-store/streams';
import { CohortEvaluator } from '../../src/services/cohort-evaluation/cohort.evaluator';
import type { KnownCohort } from '../../src/domain/cohorts/cohort.decider';
import type { CohortDefinition } from '../../src/domain/cohorts/cohort.events';
import { CohortStore } from '../../src/services/cohort-evaluation/cohort.store';
import type {
  Subscriber,
  SubscriberStreamFact,
} from '../../src/domain/subscriber-stream/subscriber.aggregate';
import type { TenantContext } from '../../src/kernel/scope';
import { HOUR_MS, plusDays, plusMs } from '../../src/kernel/time';
import type { Database, Query } from '../../src/read-models/database';
import { migrate } from '../../src/read-models/migrate';
import { databases } from '../support/databases';
import { noon } from '../support/given';
import { openSql } from '../support/sql';
import { Story } from '../support/story';
import { until } from '../support/until';

const TENANT = 'tnt_0';
/** The number of subscribers, more than one page has. */
const MANY = 2_500;
const SECOND_MS = 1_000;

const buildCohort = (id: string, definition: CohortDefinition): KnownCohort => ({
  status: 'known',
  id,
  scope: { tenantId: TENANT, environment: 'test' },
  name: id,
  description: null,
  definition,
  definitionVersion: 1,
  backfilled: true,
  createdAt: noon,
  updatedAt: noon,
});

/** An evaluator on real tables. It records the subscribers it would move and stores no event. */
class Stage {
  now = noon;
  readonly looked: string[] = [];
  /** The types of the decided facts. */
  readonly stated: string[] = [];
  deleted = false;
  private projectedTo = 0n;
  /** The names of its statements. */
  readonly asked: (string | undefined)[] = [];
  readonly store: CohortStore;

  constructor(
    sql: Database,
    private readonly cohorts: readonly KnownCohort[],
  ) {
    this.store = new CohortStore({
      query: (query: Query) => {
        this.asked.push(query.name);
        return sql.query(query);
      },
    } as Database);
  }

  /** Saves the state in which all cohorts are filled and their tenures were just checked. */
  async saveSettledState(): Promise<void> {
    for (const each of this.cohorts) await this.store.saveEvaluation(each, this.now);
    this.asked.length = 0;
  }

  async runEvaluatorDuring(work: () => Promise<unknown>): Promise<void> {
    const stop = new AbortController();
    const running = this.createEvaluator().run(stop.signal);
    try {
      await work();
    } finally {
      stop.abort();
      await running;
    }
  }

  /** Waits until a full round has begun and ended. */
  async waitForRounds(count: number): Promise<void> {
    const before = this.count('cohort changes');
    await until('rounds', () => this.count('cohort changes') >= before + count);
  }

  count(name: string): number {
    return this.asked.filter((each) => each === name).length;
  }

  private readonly run = async (
    _: unknown,
    { name }: Stream,
    { entropy }: TenantContext,
    decide: Decide<Subscriber, SubscriberStreamFact>,
  ): Promise<void> => {
    this.looked.push(name.slice(name.indexOf('-') + 1));
    const { state } = new Story({ simulated: false });
    const facts = await decide({ state, now: this.now, entropy });
    this.stated.push(...facts.map(({ type }) => type));
  };

  private createEvaluator(): CohortEvaluator {
    const parts = {
      store: this.store,
      directory: {
        listAll: () => this.cohorts,
        get: () => ({ status: this.deleted ? 'deleted' : 'known' }),
        version: 1,
        waitUntilReady: () => Promise.resolve(),
      },
      aggregates: { run: this.run },
      projector: {
        // The position advances before each check, but no notification is sent, so the clock
        // triggers the checks.
        projectedTo: () => (this.projectedTo += 1n),
        isCurrent: () => true,
        waitUntilBeyond: (_: bigint, signal: AbortSignal) => delay(HOUR_MS, undefined, { signal }),
      },
      tenants: { require: () => ({ name: 'Acme' }) },
      clock: { now: () => this.now, nowMs: () => Date.parse(this.now) },
      triggering: { triggerOnEntry: () => Promise.resolve() },
      liveRequests: { waitForTurn: () => Promise.resolve() },
    };
    return new CohortEvaluator(
      parts as unknown as ConstructorParameters<typeof CohortEvaluator>[0],
    );
  }
}

describe.each(databases)('the evaluation of cohorts, on $name SQL', (database) => {
  let sql: Database;
  let close: () => Promise<void>;

  beforeAll(async () => {
    ({ sql, close } = await openSql(database));
    await migrate(sql);
  });
  afterEach(async () => {
    await sql.query({
      text: 'truncate cohort_subjects, cohort_members, cohort_evaluations, watermarks',
    });
  });
  afterAll(() => close());

  const registerMany = (position: string): Promise<unknown> =>
    sql.query({
      text: `insert into cohort_subjects
          (scope, subscriber_id, created_at, status, test_clock, changed_position)
        select '${TENANT}.test', 'subscriber_' || lpad(i::text, 8, '0'), $1, 'active', 'clock_1',
          ${position} from generate_series(1, ${MANY}) i`,
      values: [noon],
    });

  const activeCohort = () => new Stage(sql, [buildCohort('cohort_1', { status: ['active'] })]);

  it('evaluates all subscribers that changed at one moment, as all subscribers of a test clock do', async () => {
    await registerMany('7');
    const stage = activeCohort();
    await stage.saveSettledState();
    await stage.runEvaluatorDuring(() => until('everyone', () => stage.looked.length >= MANY));
    expect(new Set(stage.looked).size).toBe(MANY);
    // The evaluator finishes with them.
    await stage.runEvaluatorDuring(() => stage.waitForRounds(2));
    expect(stage.looked).toHaveLength(MANY);
  });

  it('continues at its last position among subscribers that changed at one moment', async () => {
    await registerMany('7');
    const stage = activeCohort();
    await stage.saveSettledState();
    const [last] = (
      await stage.store.listChangedAfter(await stage.store.readWatermark(), 1_200)
    ).slice(-1);
    await stage.store.saveWatermark(last!);
    await stage.runEvaluatorDuring(() => stage.waitForRounds(3));
    expect(stage.looked).toHaveLength(MANY - 1_200);
  });

  it('continues from a watermark that has only a position', async () => {
    await registerMany('i');
    await sql.query({
      text: "insert into watermarks (name, position) values ('cohort changes', 2000)",
    });
    const stage = activeCohort();
    await stage.saveSettledState();
    await stage.runEvaluatorDuring(() => stage.waitForRounds(2));
    // The last subscriber is evaluated again, because the watermark does not say that its position
    // is done.
    expect(stage.looked.sort().slice(0, 2)).toEqual(['subscriber_00002000', 'subscriber_00002001']);
    expect(stage.looked).toHaveLength(501);
  });

  it('moves no subscriber into a cohort that is deleted in the meantime', async () => {
    await registerMany('7');
    const stage = new Stage(sql, [buildCohort('cohort_1', {})]);
    await stage.saveSettledState();
    await stage.runEvaluatorDuring(async () => {
      await until('the first entry', () => stage.stated.length > 0);
      stage.deleted = true;
      await until('all', () => stage.looked.length === MANY);
    });
    expect(stage.stated.length).toBeLessThan(MANY / 2);
  });

  it('queries all tenures once, and writes nothing while no subscriber crosses a boundary', async () => {
    const stage = new Stage(
      sql,
      Array.from({ length: 50 }, (_, i) => buildCohort(`cohort_${i}`, { tenure_days_min: 30 })),
    );
    await stage.saveSettledState();
    await stage.runEvaluatorDuring(() => stage.waitForRounds(3));
    const [reads, writes] = ['cohorts with crossed tenures', 'save cohort evaluation'];
    expect(stage.count(reads)).toBeGreaterThanOrEqual(2);
    expect(stage.asked.length).toBeLessThan(20);
    expect(stage.count(writes)).toBe(0);
  });

  it('finds a subscriber that crosses a tenure boundary, once', async () => {
    await sql.query({
      text: `insert into cohort_subjects (scope, subscriber_id, created_at, changed_position)
        values ('${TENANT}.test', 'subscriber_a', $1, 1), ('tnt_1.test', 'subscriber_b', $1, 1)`,
      values: [noon],
    });
    const stage = new Stage(sql, [
      buildCohort('cohort_1', { tenure_days_min: 30 }),
      buildCohort('cohort_2', { tenure_days_max: 29 }),
      buildCohort('cohort_3', { tenure_days_max: 30 }),
    ]);
    await stage.saveSettledState();
    await sql.query({
      text: `insert into cohort_members (cohort_id, subscriber_id, scope, entered_at)
        select 'cohort_' || i, 'subscriber_a', '${TENANT}.test', $1 from generate_series(2, 3) i`,
      values: [noon],
    });
    await stage.runEvaluatorDuring(async () => {
      await stage.waitForRounds(1);
      stage.now = plusMs(plusDays(noon, 30), -SECOND_MS);
      await stage.waitForRounds(2);
      expect(stage.looked).toEqual([]);
      stage.now = plusDays(noon, 30);
      await until('both', () => stage.looked.length >= 2);
      await stage.waitForRounds(2);
    });
    expect(stage.looked).toEqual(['subscriber_a', 'subscriber_a']);
  });
});
