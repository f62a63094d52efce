import type { StoredEvent } from '../../event-store/stored-event';
import type { Instant } from '../../kernel/time';
import { Projection } from '../../projections/projection';
import { findRemovedSubscriber } from '../../projections/removal';
import type { BatchAccumulator, Row, RowChanges, Table } from '../../projections/rows';
import type { ChangeStatement } from '../../read-models/statement-batch';

const subjectsTable: Table = { name: 'cohort_subjects', key: ['scope', 'subscriber_id'] };
const membersTable: Table = { name: 'cohort_members', key: ['cohort_id', 'subscriber_id'] };
const countsTable: Table = { name: 'cohort_counts', key: ['cohort_id'] };
/**
 * Ids of deleted cohorts. The table may lack cohorts that were deleted before the table existed:
 * only the log has them.
 */
const deletedTable: Table = { name: 'deleted_cohorts', key: ['cohort_id'], perishable: true };

/** Projects the facts that cohort definitions test, one row for each subscriber. */
export class CohortSubjectProjection extends Projection {
  readonly name = 'cohort_subjects';
  readonly tables = [subjectsTable];

  project(event: StoredEvent, changes: RowChanges): void {
    if (CLOCK_EVENTS.has(event.type)) markChanged(event, changes);
    const record = event.metadata.subscriber;
    if (event.owner === null || record === undefined || !mayChangeMembership(event.type)) return;
    const key = { scope: event.owner.scopeName, subscriber_id: event.owner.subscriberId };
    if (findRemovedSubscriber(event) !== null) {
      changes.remove(subjectsTable, key);
      return;
    }
    changes.upsert(subjectsTable, {
      ...key,
      created_at: record['registered_at'],
      status: record['status'],
      plan: record['plan'],
      changed_position: String(event.position),
      ...toProfileColumns(event),
    });
  }
}

const CLOCK_EVENTS = new Set(['clock.advanced', 'clock.advance_failed']);

/**
 * Marks the subscribers of a test clock as changed after the clock has advanced. They are not
 * evaluated while it advances.
 */
const markChanged = ({ data, position }: StoredEvent, changes: RowChanges): void => {
  changes.runAfterRows({
    text: `update cohort_subjects set changed_position = $2
      where test_clock = $1 and changed_position < $2`,
    values: [data['id'] as string, String(position)],
  });
};

/** True if an event of the type can change memberships. Only these families can (D-54). */
const mayChangeMembership = (type: string): boolean =>
  type.startsWith('subscription.') || type.startsWith('subscriber.');

const toProfileColumns = ({ type, data }: StoredEvent): Row => {
  if (type === 'subscriber.erased') return { erased: true };
  return {
    ...(type === 'subscriber.created' ? { test_clock: data['test_clock'] ?? null } : {}),
    ...(data['tags'] === undefined ? {} : { tags: data['tags'] }),
    ...(data['engagement_score'] === undefined
      ? {}
      : { engagement_score: data['engagement_score'] }),
  };
};

/** Projects the members of cohorts from the backfills, entries and exits in the log. */
export class CohortMemberProjection extends Projection {
  readonly name = 'cohort_members';
  readonly tables = [membersTable, countsTable, deletedTable];

  project(event: StoredEvent, changes: RowChanges): void {
    if (!MEMBERSHIP_EVENTS.has(event.type)) return;
    changes.accumulate(this, () => new MembershipChanges()).add(event);
  }
}

const MEMBERSHIP_EVENTS = new Set([
  'cohort.entered',
  'cohort.exited',
  'cohort.backfilled',
  'cohort.deleted',
  'subscriber.erased',
]);

interface Member {
  readonly cohort_id: string;
  readonly subscriber_id: string;
  readonly scope: string;
  readonly entered_at: Instant;
}

/**
 * The membership changes of a batch and the resulting counts. Only rows that are really inserted or
 * deleted are counted, so writing a batch twice changes nothing.
 */
class MembershipChanges implements BatchAccumulator {
  private readonly entered = new Map<string, Member>();
  private readonly exited = new Map<string, Pick<Member, 'cohort_id' | 'subscriber_id'>>();
  private readonly deletedCohorts = new Set<string>();
  private readonly erasedSubscribers = new Set<string>();

  add(event: StoredEvent): void {
    if (event.type === 'cohort.backfilled') this.backfill(event);
    else if (event.type === 'cohort.deleted') this.deletedCohorts.add(getCohortId(event));
    else if (event.owner === null) return;
    else if (event.type === 'subscriber.erased') this.forget(event.owner.subscriberId);
    else if (event.type === 'cohort.entered') this.enter(toMember(event, event.owner));
    else this.exit(toMember(event, event.owner));
  }

  statements(): Promise<ChangeStatement[]> {
    const { deletedCohorts, erasedSubscribers, exited, entered } = this;
    const deleted = [...deletedCohorts];
    const haveLeft = exited.size + erasedSubscribers.size > 0;
    return Promise.resolve([
      ...(deleted.length === 0 ? [] : [insertDeletedCohorts(deleted)]),
      ...(deleted.length === 0 ? [] : [deleteMembersBy('cohort_id', deleted)]),
      ...(erasedSubscribers.size === 0
        ? []
        : [deleteMembersBy('subscriber_id', [...erasedSubscribers])]),
      ...(exited.size === 0 ? [] : [deleteMembers([...exited.values()])]),
      ...(entered.size === 0 ? [] : [insertMembers([...entered.values()])]),
      ...(haveLeft ? [DROP_EMPTY_COUNTS] : []),
      ...(deleted.length === 0 ? [] : [deleteCounts(deleted)]),
    ]);
  }

  private backfill({ data, metadata }: StoredEvent): void {
    const { scope, cohort_id, subscriber_ids } = data as unknown as {
      scope: string;
      cohort_id: string;
      subscriber_ids: readonly string[];
    };
    for (const subscriber_id of subscriber_ids) {
      this.enter({ scope, cohort_id, subscriber_id, entered_at: metadata.at });
    }
  }

  private enter(member: Member): void {
    const key = toKey(member);
    if (!this.entered.has(key)) this.entered.set(key, member);
  }

  private exit({ cohort_id, subscriber_id }: Member): void {
    const key = toKey({ cohort_id, subscriber_id });
    this.entered.delete(key);
    this.exited.set(key, { cohort_id, subscriber_id });
  }

  private forget(subscriberId: string): void {
    this.erasedSubscribers.add(subscriberId);
    for (const [key, { subscriber_id }] of this.entered) {
      if (subscriber_id === subscriberId) this.entered.delete(key);
    }
  }
}

const getCohortId = ({ stream }: StoredEvent): string => stream.slice('cohort-'.length);

const toMember = (
  { data, metadata }: StoredEvent,
  { scopeName, subscriberId }: NonNullable<StoredEvent['owner']>,
): Member => ({
  cohort_id: data['cohort_id'] as string,
  subscriber_id: subscriberId,
  scope: scopeName,
  entered_at: metadata.at,
});

const toKey = ({ cohort_id, subscriber_id }: Pick<Member, 'cohort_id' | 'subscriber_id'>): string =>
  `${cohort_id} ${subscriber_id}`;

/** Builds a statement that changes members and adjusts the counts by the affected rows. */
const createCountStatement = (change: string, sign: '+' | '-'): string =>
  `with changed as (${change} returning cohort_id)
  insert into cohort_counts (cohort_id, members)
  select cohort_id, ${sign} count(*) from changed group by cohort_id
  on conflict (cohort_id) do update set members = cohort_counts.members + excluded.members`;

/**
 * An empty cohort has no row of counts, even if it had members before. A rebuild creates none
 * either.
 */
const DROP_EMPTY_COUNTS: ChangeStatement = {
  text: 'delete from cohort_counts where members = 0',
  values: [],
};

const deleteCounts = (cohortIds: readonly string[]): ChangeStatement => ({
  text: 'delete from cohort_counts where cohort_id in (select json_array_elements_text($1))',
  values: [JSON.stringify(cohortIds)],
});

const deleteMembersBy = (
  column: 'cohort_id' | 'subscriber_id',
  ids: readonly string[],
): ChangeStatement => ({
  text: createCountStatement(
    `delete from cohort_members where ${column} in (select json_array_elements_text($1))`,
    '-',
  ),
  values: [JSON.stringify(ids)],
});

const insertDeletedCohorts = (cohortIds: readonly string[]): ChangeStatement => ({
  text: `insert into deleted_cohorts select json_array_elements_text($1) on conflict do nothing`,
  values: [JSON.stringify(cohortIds)],
});

/**
 * Inserts members. A deleted cohort gets no members, even if a subscriber was entering it when it
 * was deleted.
 */
const insertMembers = (members: readonly Member[]): ChangeStatement => ({
  text: createCountStatement(
    `insert into cohort_members
      (cohort_id, subscriber_id, scope, entered_at)
    select cohort_id, subscriber_id, scope, entered_at
      from json_populate_recordset(null::cohort_members, $1) m
      where not exists (select 1 from deleted_cohorts d where d.cohort_id = m.cohort_id)
    on conflict (cohort_id, subscriber_id) do nothing`,
    '+',
  ),
  values: [JSON.stringify(members)],
});

const deleteMembers = (members: readonly object[]): ChangeStatement => ({
  text: createCountStatement(
    `delete from cohort_members t using json_populate_recordset(null::cohort_members, $1) k
      where t.cohort_id = k.cohort_id and t.subscriber_id = k.subscriber_id`,
    '-',
  ).replace('returning cohort_id', 'returning t.cohort_id'),
  values: [JSON.stringify(members)],
});
