import type { Day } from '../../domain/metrics/buckets';
import type { Zone } from '../../domain/metrics/zone';
import { KeyedQueue } from '../../event-store/keyed-queue';
import type { StoredEvent } from '../../event-store/stored-event';
import type { JsonObject } from '../../kernel/json';
import type { CohortDirectory } from '../../directories/cohort.directory';
import { DomainError, notFound } from '../../kernel/errors';
import { type Scope, scopeName } from '../../kernel/scope';
import type { Instant } from '../../kernel/time';
import type { Database } from '../../read-models/database';
import { addHistograms } from './histogram';
import { PlanView } from './plan-view';
import type { DayCount } from './series';
import type { Count, Series } from './daily-count';
import { NEW_TALLY, tallyEvent, type TalliedEvent, type Tally } from './tally';

/**
 * Largest number of events that are counted for one request. More would take longer than a caller
 * waits.
 */
const EVENTS_MAX = 200_000;
const PAGE_EVENTS = 2_000;

/** Selects the subscribers and subscriptions that are counted, and the time zone of the days. */
export interface CutRequest {
  readonly plan: string | null;
  readonly cohortId: string | null;
  readonly zone: Zone;
}

interface CountSelection {
  readonly series: ReadonlySet<Series>;
  readonly currency: string | null;
  /** First and last day of the window, both included. */
  readonly first: Day;
  readonly last: Day;
}

/** An event with the parts of its metadata that are needed to count it. */
export interface CountedEvent extends Pick<StoredEvent, 'type' | 'data'> {
  readonly subscriber_id: string;
  readonly sequence: number;
  readonly at: Instant;
  readonly named_subscription: string | null;
  readonly subscriber: JsonObject | null;
  readonly subscription: JsonObject | null;
}

/**
 * Computes daily counts for a plan, a cohort or another time zone. The stored counts are for all
 * subscribers in UTC, so the events are read and counted again by the same rules. A process
 * computes one cut at a time.
 */
export class CutCounts {
  private readonly queue = new KeyedQueue();

  constructor(
    private readonly database: Database,
    private readonly cohorts: CohortDirectory,
  ) {}

  /** Throws if the environment does not have the plan or the cohort. */
  async requireKnown(scope: Scope, { plan, cohortId }: CutRequest): Promise<void> {
    if (cohortId !== null) this.cohorts.require(scope, cohortId, 'cohort_id');
    if (plan === null) return;
    const [row] = await this.database.query({
      name: 'plan of a metric',
      text: 'select 1 as known from plans where scope = $1 and id = $2',
      values: [scopeName(scope), plan],
    });
    if (row === undefined) throw notFound('plan', 'plan');
  }

  read(scope: Scope, cutting: CutRequest, wanted: CountSelection): Promise<DayCount[]> {
    return this.queue.run('cut', async () => {
      const totals = new CutTotals(wanted);
      let counter = null as SubscriberCounter | null;
      for await (const event of this.readEvents(scope, cutting)) {
        if (counter?.subscriberId !== event.subscriber_id) {
          counter = new SubscriberCounter(event.subscriber_id, cutting);
        }
        for (const count of counter.count(event)) totals.add(count);
      }
      return totals.list();
    });
  }

  /** Yields the events of one subscriber after another, each from the first event to the last. */
  private async *readEvents(scope: Scope, { cohortId }: CutRequest): AsyncGenerator<CountedEvent> {
    let [subscriber, sequence, read] = ['', 0, 0];
    for (;;) {
      const page = await this.database.query<CountedEvent>({
        name: 'events to count',
        text: `select subscriber_id, sequence, type, created_at as at, data,
            metadata ->> 'subscription_id' as named_subscription,
            metadata -> 'subscriber' as subscriber, metadata -> 'subscription' as subscription
          from events
          where scope = $1 and (subscriber_id, sequence) > ($2, $3)
            and type ~ '^(subscription|payment|credit|ticket|motion)\\.'
            and ($4::text is null or subscriber_id in
              (select m.subscriber_id from cohort_members m where m.cohort_id = $4))
          order by subscriber_id, sequence limit ${PAGE_EVENTS}`,
        values: [scopeName(scope), subscriber, sequence, cohortId],
      });
      read += page.length;
      if (read > EVENTS_MAX) throw tooLargeError();
      yield* page;
      const last = page.at(-1);
      if (last === undefined || page.length < PAGE_EVENTS) return;
      subscriber = last.subscriber_id;
      sequence = last.sequence;
    }
  }
}

const tooLargeError = (): DomainError =>
  new DomainError(
    'metric_too_large',
    `More than ${EVENTS_MAX} events would have to be counted. Ask for the metric without plan, cohort_id and timezone, or for a smaller cohort.`,
    { details: { events_max: EVENTS_MAX } },
  );

/** Counts the events of one subscriber. */
class SubscriberCounter {
  private before: Tally = NEW_TALLY;
  private readonly view: PlanView | null;

  constructor(
    readonly subscriberId: string,
    private readonly cutting: CutRequest,
  ) {
    this.view = cutting.plan === null ? null : new PlanView(cutting.plan);
  }

  count(counted: CountedEvent): readonly Count[] {
    const event = toStoredEvent(counted);
    const seen = this.view?.selectPlan(event, this.before) ?? {
      event,
      before: this.before,
      counts: [],
    };
    const { after, counts } = tallyEvent(seen.before, seen.event, this.cutting.zone);
    this.before = after;
    return [...seen.counts, ...counts];
  }
}

const toStoredEvent = (event: CountedEvent): TalliedEvent => ({
  type: event.type,
  data: event.data,
  revision: event.sequence - 1,
  metadata: {
    at: event.at,
    ...(event.named_subscription === null ? {} : { subscription_id: event.named_subscription }),
    subscriber: event.subscriber ?? {},
    subscription: event.subscription ?? {},
  },
});

/** Adds up counts by series, day and part. All days before the window are one sum. */
class CutTotals {
  private readonly sums = new Map<string, DayCount>();

  constructor(private readonly wanted: CountSelection) {}

  add({ series, day, currency, part, value, histogram }: Count): void {
    const { wanted } = this;
    const isOther = currency !== '' && wanted.currency !== null && currency !== wanted.currency;
    if (!wanted.series.has(series) || day > wanted.last || isOther) return;
    const on = day < wanted.first ? null : day;
    const key = `${series} ${on ?? ''} ${part}`;
    const known = this.sums.get(key);
    const histograms = [known?.histogram, histogram].filter((each) => each !== undefined);
    this.sums.set(key, {
      series,
      day: on,
      part,
      value: (known?.value ?? 0) + value,
      ...(histograms.length === 0 ? {} : { histogram: addHistograms(histograms) }),
    });
  }

  list(): DayCount[] {
    return [...this.sums.values()];
  }
}
