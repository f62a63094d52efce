import { scopeName } from '../../kernel/scope';
import type { Instant } from '../../kernel/time';
import { Database } from '../../read-models/database';
import type { KnownCohort } from '../../domain/cohorts/cohort.decider';
import {
  listCrossedTenures,
  createMatchSql,
  type CohortSubject,
} from '../../domain/cohorts/cohort-matcher';

/**
 * A position among the changes of subscribers. Many subscribers may have changed at one log
 * position.
 */
export interface ChangeKey {
  readonly changedPosition: bigint;
  readonly scope: string;
  readonly subscriberId: string;
}

/** A subscriber from the read model, with its position among the changes. */
export interface ListedSubject extends CohortSubject, ChangeKey {
  readonly testClock: string | null;
}

/** The progress of evaluating one cohort. */
export interface Evaluation {
  readonly definitionVersion: number;
  readonly checkedUntil: Instant;
}

/** A cohort whose tenure boundaries are checked up to an instant. */
export interface TenureCheck {
  readonly cohort: KnownCohort;
  readonly since: Instant;
}

/**
 * A subscriber whose membership differs from the definition; `listed` is its current membership.
 */
export interface Difference {
  readonly subscriberId: string;
  readonly listed: boolean;
}

interface SubjectRow {
  readonly scope: string;
  readonly subscriber_id: string;
  readonly created_at: Instant;
  readonly status: string | null;
  readonly plan: string | null;
  readonly tags: string[];
  readonly engagement_score: number | null;
  readonly changed_position: string;
  readonly test_clock: string | null;
}

interface WatermarkRow {
  readonly position: string;
  readonly scope: string;
  readonly subscriber_id: string;
}

const WATERMARK = 'cohort changes';

/** The watermark before the first change. */
const BEFORE_ALL_CHANGES: ChangeKey = { changedPosition: -1n, scope: '', subscriberId: '' };

/** The SQL statements of evaluating cohorts. */
export class CohortStore {
  constructor(private readonly database: Database) {}

  /** Reads the last change that was processed. */
  async readWatermark(): Promise<ChangeKey> {
    const [row] = await this.database.query<WatermarkRow>({
      name: 'cohort watermark',
      text: 'select position, scope, subscriber_id from watermarks where name = $1',
      values: [WATERMARK],
    });
    if (row === undefined) return BEFORE_ALL_CHANGES;
    const { position, scope, subscriber_id: subscriberId } = row;
    return { changedPosition: BigInt(position), scope, subscriberId };
  }

  async saveWatermark({ changedPosition, scope, subscriberId }: ChangeKey): Promise<void> {
    await this.database.query({
      name: 'save cohort watermark',
      text: `insert into watermarks (name, position, scope, subscriber_id) values ($1, $2, $3, $4)
        on conflict (name) do update set position = excluded.position, scope = excluded.scope,
        subscriber_id = excluded.subscriber_id`,
      values: [WATERMARK, String(changedPosition), scope, subscriberId],
    });
  }

  async readEvaluations(): Promise<Map<string, Evaluation>> {
    const rows = await this.database.query<{
      cohort_id: string;
      definition_version: number;
      checked_until: Instant;
    }>({ name: 'cohort evaluations', text: 'select * from cohort_evaluations' });
    return new Map(
      rows.map(({ cohort_id, definition_version, checked_until }) => [
        cohort_id,
        { definitionVersion: definition_version, checkedUntil: checked_until },
      ]),
    );
  }

  async saveEvaluation(cohort: KnownCohort, checkedUntil: Instant): Promise<void> {
    await this.database.query({
      name: 'save cohort evaluation',
      text: `insert into cohort_evaluations (cohort_id, definition_version, checked_until)
        values ($1, $2, $3) on conflict (cohort_id) do update set
        definition_version = excluded.definition_version, checked_until = excluded.checked_until`,
      values: [cohort.id, cohort.definitionVersion, checkedUntil],
    });
  }

  async isEvaluated(cohort: KnownCohort): Promise<boolean> {
    const rows = await this.database.query({
      name: 'cohort is evaluated',
      text: `select 1 from cohort_evaluations where cohort_id = $1 and definition_version >= $2`,
      values: [cohort.id, cohort.definitionVersion],
    });
    return rows.length > 0;
  }

  /** Returns the subscribers that changed after a position, in order. */
  async listChangedAfter(
    { changedPosition, scope, subscriberId }: ChangeKey,
    limit: number,
  ): Promise<ListedSubject[]> {
    const rows = await this.database.query<SubjectRow>({
      name: 'cohort changes',
      text: `select * from cohort_subjects
        where (changed_position, scope, subscriber_id) > ($1, $2, $3)
        order by changed_position, scope, subscriber_id limit $4`,
      values: [String(changedPosition), scope, subscriberId, limit],
    });
    return rows.map(toSubject);
  }

  /**
   * Returns the ids of the cohorts for which `listCrossed` would find a subscriber, with one
   * statement for all.
   */
  async findCrossedCohorts(looks: readonly TenureCheck[], now: Instant): Promise<Set<string>> {
    const ranges = looks.flatMap(({ cohort, since }) =>
      listCrossedTenures(cohort.definition, since, now).map(([after, up_to]) => ({
        cohort_id: cohort.id,
        scope: scopeName(cohort.scope),
        after,
        up_to,
      })),
    );
    if (ranges.length === 0) return new Set();
    const rows = await this.database.query<{ cohort_id: string }>({
      name: 'cohorts with crossed tenures',
      text: `select distinct cohort_id from json_to_recordset($1)
          as r (cohort_id text, scope text, after timestamptz, up_to timestamptz)
        cross join lateral (select 1 from cohort_subjects s where s.scope = r.scope
          and s.created_at > r.after and s.created_at <= r.up_to limit 1) found`,
      values: [JSON.stringify(ranges)],
    });
    return new Set(rows.map(({ cohort_id }) => cohort_id));
  }

  /**
   * Returns the subscribers that crossed one of the cohort's tenure boundaries after `since` and up
   * to `now`.
   */
  async listCrossed(cohort: KnownCohort, since: Instant, now: Instant): Promise<ListedSubject[]> {
    const found = await Promise.all(
      listCrossedTenures(cohort.definition, since, now).map(([after, upTo]) =>
        this.database.query<SubjectRow>({
          name: 'cohort tenures',
          text: `select * from cohort_subjects
            where scope = $1 and created_at > $2 and created_at <= $3`,
          values: [scopeName(cohort.scope), after, upTo],
        }),
      ),
    );
    return found.flat().map(toSubject);
  }

  /** Returns the subscribers of the scope that belong to a test clock. */
  async listUnderTestClock(scope: string): Promise<ListedSubject[]> {
    const rows = await this.database.query<SubjectRow>({
      name: 'clocked cohort subjects',
      text: `select * from cohort_subjects
        where scope = $1 and test_clock is not null and not erased`,
      values: [scope],
    });
    return rows.map(toSubject);
  }

  /** Returns the memberships of these subscribers as pairs (`<cohort> <subscriber>`). */
  async findMembers(subscriberIds: readonly string[]): Promise<Set<string>> {
    const rows = await this.database.query<{ pair: string }>({
      name: 'cohort members among',
      text: `select cohort_id || ' ' || subscriber_id as pair from cohort_members
        where subscriber_id = any($1)`,
      values: [subscriberIds],
    });
    return new Set(rows.map(({ pair }) => pair));
  }

  /** Returns the matching subscribers after an id, sorted by id. */
  async listMatching(
    cohort: KnownCohort,
    now: Instant,
    { after, limit }: { after: string; limit: number },
  ): Promise<string[]> {
    const match = createMatchSql(cohort.definition, now, 4);
    const rows = await this.database.query<{ subscriber_id: string }>({
      text: `select subscriber_id from cohort_subjects
        where scope = $1 and subscriber_id > $2 and ${match.text}
        order by subscriber_id limit $3`,
      values: [scopeName(cohort.scope), after, limit, ...match.values],
    });
    return rows.map(({ subscriber_id }) => subscriber_id);
  }

  /** Returns the subscribers whose membership differs from the definition, sorted by id. */
  async listDifferences(
    cohort: KnownCohort,
    now: Instant,
    { after, limit }: { after: string; limit: number },
  ): Promise<Difference[]> {
    const match = createMatchSql(cohort.definition, now, 5);
    const rows = await this.database.query<{ subscriber_id: string; listed: boolean }>({
      text: `with matching as (
          select subscriber_id from cohort_subjects
            where scope = $1 and subscriber_id > $3 and ${match.text}),
        listed as (
          select subscriber_id from cohort_members where cohort_id = $2 and subscriber_id > $3)
        (select subscriber_id, false as listed from (table matching except table listed) a
          union all
          select subscriber_id, true from (table listed except table matching) b)
        order by subscriber_id limit $4`,
      values: [scopeName(cohort.scope), cohort.id, after, limit, ...match.values],
    });
    return rows.map(({ subscriber_id, listed }) => ({ subscriberId: subscriber_id, listed }));
  }

  /** Returns the number of members of each cohort. */
  async countMembers(cohortIds: readonly string[]): Promise<Map<string, number>> {
    const rows = await this.database.query<{ cohort_id: string; members: string }>({
      name: 'cohort counts',
      text: 'select cohort_id, members from cohort_counts where cohort_id = any($1)',
      values: [cohortIds],
    });
    return new Map(rows.map(({ cohort_id, members }) => [cohort_id, Number(members)]));
  }
}

const toSubject = (row: SubjectRow): ListedSubject => ({
  scope: row.scope,
  subscriberId: row.subscriber_id,
  createdAt: row.created_at,
  status: row.status,
  plan: row.plan,
  tags: row.tags,
  engagementScore: row.engagement_score,
  changedPosition: BigInt(row.changed_position),
  testClock: row.test_clock,
});
