import fc from 'fast-check';
import { streams } from '../../src/event-store/streams';
import type { StoredEvent } from '../../src/event-store/stored-event';
import { EventProjection } from '../../src/features/events/event.projection';
import { toFilter } from '../../src/kernel/event-filter';
import { type Scope, scopeName } from '../../src/kernel/scope';
import { fromMillis, type Instant } from '../../src/kernel/time';
import { RowChanges } from '../../src/projections/rows';
import type { Database } from '../../src/read-models/database';
import { migrate } from '../../src/read-models/migrate';
import type { ReplayRequest } from '../../src/domain/replays/replay.events';
import { isDeliverable } from '../../src/replay/running/replay-work';
import type { ScannedEvent } from '../../src/replay/running/scan';
import {
  createScanFilter,
  createSelectionPredicate,
  type Selection,
  SelectionIndex,
  selectTypes,
} from '../../src/replay/running/selection';
import { databases } from '../support/databases';
import { openSql } from '../support/sql';
import { countRuns } from '../support/property-runs';

const RUNS = 100;
const scope: Scope = { tenantId: 'tnt_1', environment: 'test' };
const otherScope: Scope = { tenantId: 'tnt_1', environment: 'live' };
const TYPES = ['ticket.submitted', 'ticket.closed', 'payment.succeeded', 'payment.failed'];
const SUBSCRIBERS = ['subscriber_a', 'subscriber_b', 'subscriber_c'];
const FIRST_MS = Date.parse('2026-03-10T12:00:00.000Z');
/** The number of instants. It is small, so that events often fall on a limit of the window. */
const INSTANTS = 8;
const getInstant = (n: number): Instant => fromMillis(FIRST_MS + n);

interface EventDraft {
  readonly type: string;
  readonly subscriber: string;
  readonly at: number;
  readonly elsewhere: boolean;
  /** The distance from the event before. Zero: both are of one append. */
  readonly step: number;
}

const eventDraft: fc.Arbitrary<EventDraft> = fc.record({
  type: fc.constantFrom(...TYPES),
  subscriber: fc.constantFrom(...SUBSCRIBERS),
  at: fc.nat(INSTANTS - 1),
  elsewhere: fc.boolean(),
  step: fc.constantFrom(0, 1, 7, 90),
});

/** Some patterns, `*` among them; null means every type. */
const patterns = fc.option(
  fc.subarray(['*', 'ticket.*', 'payment.*', ...TYPES], { minLength: 1, maxLength: 3 }),
);

interface RequestInput {
  readonly from: number;
  readonly length: number;
  readonly asked: readonly string[] | null;
  readonly subscribed: readonly string[] | null;
  readonly subscriberIds: readonly string[] | null;
  readonly picked: readonly number[] | null;
}

const request: fc.Arbitrary<RequestInput> = fc.record({
  from: fc.nat(INSTANTS - 1),
  length: fc.integer({ min: 1, max: INSTANTS }),
  asked: patterns,
  subscribed: patterns,
  subscriberIds: fc.option(fc.subarray(SUBSCRIBERS)),
  picked: fc.option(fc.uniqueArray(fc.nat(8), { maxLength: 6 })),
});

/** The events of a log in its order, with their revisions in the category of the scope. */
const logOf = (drafts: readonly EventDraft[]): ScannedEvent[] => {
  let position = 5n;
  let linkRevision = -1;
  return drafts.map(({ type, subscriber, at, elsewhere, step }, i) => {
    position += BigInt(step);
    if (!elsewhere) linkRevision += 1;
    const owned = elsewhere ? otherScope : scope;
    return {
      uuid: `uuid-${i}`,
      id: `evt_${i}`,
      type,
      stream: streams.subscriber(owned, subscriber).name,
      owner: { scope: owned, scopeName: scopeName(owned), subscriberId: subscriber },
      revision: i,
      position,
      storedAtMs: FIRST_MS,
      data: {},
      metadata: { schema: 'v1', at: getInstant(at), command: 'c' },
      linkRevision,
    };
  });
};

/** The plan is fixed at the acceptance. The runner scans for its events. */
describe.each(databases)('the selection of a replay, on $name SQL', (database) => {
  let sql: Database;
  let close: () => Promise<void>;

  beforeAll(async () => {
    ({ sql, close } = await openSql(database));
    await migrate(sql);
  });

  afterAll(() => close());

  const index = (log: readonly StoredEvent[]): Promise<void> => {
    const changes = new RowChanges();
    const projection = new EventProjection();
    for (const event of log) projection.project(event, changes);
    return sql.transaction(async (session) => {
      await session.query({ text: 'delete from events' });
      await changes.write(session);
    });
  };

  const createSelection = (log: readonly ScannedEvent[], asked: RequestInput): Selection => ({
    scope,
    destinationId: 'dest_0',
    from: getInstant(asked.from),
    to: getInstant(asked.from + asked.length),
    types: selectTypes(TYPES, toFilter(asked.asked), toFilter(asked.subscribed)),
    subscriberIds: asked.subscriberIds,
    eventIds: asked.picked?.flatMap((i) => log[i]?.id ?? []) ?? null,
  });

  const scanLog = (
    log: readonly ScannedEvent[],
    asked: RequestInput,
    { selection, first, last }: { selection: Selection; first: string | null; last: string | null },
  ): ScannedEvent[] => {
    const job = {
      tenant_id: scope.tenantId,
      environment: scope.environment,
      from: selection.from,
      effective_to: selection.to,
      event_types: asked.asked,
      destination_event_types: asked.subscribed,
      position_from: first,
      position_to: last,
    } as unknown as ReplayRequest;
    const toSet = (all: readonly string[] | null) => all && new Set(all);
    const filter = createScanFilter(job, { subscriberIds: toSet(selection.subscriberIds) });
    const isSelected = createSelectionPredicate(job, { eventIds: toSet(selection.eventIds) });
    return log
      .filter(({ owner }) => owner?.scopeName === scopeName(scope))
      .filter(({ stream }) => filter.matchesStream?.(stream) ?? true)
      .filter(({ type }) => filter.matchesType?.(type) ?? true)
      .filter(isSelected)
      .filter(isDeliverable);
  };

  it('has the same events in SQL and in the scan of the log', async () => {
    const selections = new SelectionIndex(sql);
    await fc.assert(
      fc.asyncProperty(
        fc.array(eventDraft, { minLength: 1, maxLength: 9 }),
        request,
        async (drafts, asked) => {
          const log = logOf(drafts);
          await index(log);
          const selection = createSelection(log, asked);
          const extent = await selections.measureExtent(selection);
          const events = scanLog(log, asked, { selection, ...extent });

          // The two counts are equal only if SQL selects exactly the events of the scan.
          const eventIds = events.map(({ id }) => id);
          const both = await selections.measureExtent({ ...selection, eventIds });
          expect(both.matched).toBe(events.length);

          const positions = events.map(({ position }) => String(position));
          expect(extent).toEqual({
            matched: events.length,
            first: positions.at(0) ?? null,
            last: positions.at(-1) ?? null,
          });

          const times = events.map(({ metadata }) => metadata.at).sort();
          const edges = await selections.findEdges(selection);
          expect([edges.first, edges.last].map((edge) => edge?.created_at)).toEqual([
            times.at(0),
            times.at(-1),
          ]);
        },
      ),
      { numRuns: countRuns(RUNS) },
    );
  });
});
