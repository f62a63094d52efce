import { CohortMemberProjection } from '../../src/features/cohorts/cohort.projection';
import type { StoredEvent } from '../../src/event-store/stored-event';
import { RowChanges } from '../../src/projections/rows';
import type { Database } from '../../src/read-models/database';
import { migrate } from '../../src/read-models/migrate';
import { databases } from '../support/databases';
import { noon } from '../support/given';
import { openSql } from '../support/sql';

const COHORT = 'cohort_1';
const SCOPE = 'tnt_0.test';

const buildEvent = (type: string, data: object, subscriberId: string | null): StoredEvent =>
  ({
    type,
    stream: subscriberId === null ? `cohort-${COHORT}` : `${SCOPE}-${subscriberId}`,
    owner: subscriberId === null ? null : { scopeName: SCOPE, subscriberId },
    data,
    metadata: { at: noon },
  }) as unknown as StoredEvent;

const buildEntry = (subscriberId: string, cohort_id = COHORT): StoredEvent =>
  buildEvent('cohort.entered', { cohort_id }, subscriberId);
const buildBackfill = (...subscriber_ids: string[]): StoredEvent =>
  buildEvent('cohort.backfilled', { scope: SCOPE, cohort_id: COHORT, subscriber_ids }, null);
const deleted = buildEvent('cohort.deleted', {}, null);

describe.each(databases)('the members of a cohort, on $name SQL', (database) => {
  const projection = new CohortMemberProjection();
  let sql: Database;
  let close: () => Promise<void>;

  beforeAll(async () => {
    ({ sql, close } = await openSql(database));
    await migrate(sql);
  });
  afterEach(() => sql.query({ text: 'truncate cohort_members, cohort_counts, deleted_cohorts' }));
  afterAll(() => close());

  /** Projects each batch twice, as a projector does that died after it. */
  const project = async (...batches: StoredEvent[][]): Promise<void> => {
    for (const batch of batches.flatMap((each) => [each, each])) {
      const changes = new RowChanges();
      for (const each of batch) projection.project(each, changes);
      await sql.transaction((session) => changes.write(session));
    }
  };

  const listMembers = async (): Promise<string[]> =>
    (
      await sql.query<{ pair: string }>({
        text: `select cohort_id || ' ' || subscriber_id as pair from cohort_members order by 1`,
      })
    ).map(({ pair }) => pair);

  it.each<[string, StoredEvent[][]]>([
    ['a moment later', [[buildEntry('a'), buildBackfill('b')], [deleted], [buildEntry('c')]]],
    ['in the same batch', [[buildEntry('a'), deleted, buildEntry('b'), buildBackfill('c')]]],
    ['by a backfill that goes on', [[buildBackfill('a')], [deleted], [buildBackfill('b')]]],
  ])('are none once it is deleted, even if a subscriber enters %s', async (_, batches) => {
    await project([buildEntry('a', 'cohort_2')], ...batches);
    expect(await listMembers()).toEqual(['cohort_2 a']);
    expect(await sql.query({ text: 'select cohort_id, members from cohort_counts' })).toEqual([
      { cohort_id: 'cohort_2', members: '1' },
    ]);
  });
});
