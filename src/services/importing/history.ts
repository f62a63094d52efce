import type { CommandStep } from '../../event-store/steps';
import { streams } from '../../event-store/streams';
import { DomainError } from '../../kernel/errors';
import { findOwner } from '../../kernel/ids';
import {
  type Subscriber,
  subscriberAggregate,
  type SubscriberStreamFact,
} from '../../domain/subscriber-stream/subscriber.aggregate';
import { requireNotErased } from '../../domain/subscribers/subscriber.decider';
import { groupBySubscription, groupLines, type NumberedLine, filterByKind } from './grouping';
import type { ImportLine, PaymentLine } from './import.lines';
import { type Decide, type ImportContext, LineDecisions, type LineParts } from './line.decisions';

/**
 * Number of lines in one append. An append is limited to 1 MiB, and a line becomes events of a few
 * kilobytes.
 */
const LINES_PER_APPEND = 50;
/** Number of subscribers that are imported concurrently. */
const CONCURRENCY = 512;

/** A line that was not imported, with the reason. */
export interface RefusedLine {
  readonly line: number;
  readonly error: DomainError;
}

interface DecidableLine {
  readonly line: number;
  readonly step: CommandStep<Subscriber, SubscriberStreamFact>;
}

/** Imports lines, with one append for all lines of a subscriber. */
export class HistoryImport {
  constructor(
    private readonly parts: LineParts,
    /** Resolves when the next subscriber may be imported, because live requests have priority. */
    private readonly waitForTurn: () => Promise<void> = () => Promise.resolve(),
  ) {}

  /**
   * Imports lines: subscribers before their subscriptions before their payments. Returns the
   * refused lines.
   */
  async importLines(
    context: ImportContext,
    lines: readonly NumberedLine[],
  ): Promise<RefusedLine[]> {
    const taking = new ChunkImport(this.parts, context);
    const { subscribers, payments } = groupLines(lines);
    await runConcurrently([...subscribers], async ([name, group]) => {
      await this.waitForTurn();
      await taking.importSubscriber(name, group);
    });
    // Payments remain whose subscription was in earlier lines, or whose subscription name belongs
    // to another object.
    const rest = groupBySubscription([...payments, ...taking.otherPayments]);
    await runConcurrently([...rest], async ([name, group]) => {
      await this.waitForTurn();
      await taking.importPayments(name, group);
    });
    return taking.refused;
  }
}

class ChunkImport {
  readonly refused: RefusedLine[] = [];
  readonly otherPayments: NumberedLine<PaymentLine>[] = [];
  private readonly decisions: LineDecisions;

  constructor(
    private readonly parts: LineParts,
    private readonly context: ImportContext,
  ) {
    this.decisions = new LineDecisions(parts, context);
  }

  /** Imports all lines of one subscriber in the required order. */
  async importSubscriber(name: string, group: readonly NumberedLine[]): Promise<void> {
    const { decisions } = this;
    const id = await decisions.chooseSubscriberId(name);
    let isNew = false;
    const ready = await this.prepareLines(
      filterByKind('subscriber', group),
      async (line, commandId) => {
        const registration = await decisions.decideSubscriber({ id, commandId, line });
        isNew ||= registration.isNew;
        return registration.decide;
      },
    );
    const names = new Map<string, string>();
    const subscriptions = await this.prepareLines(
      filterByKind('subscription', group),
      async (line) => {
        if (ready.length === 0) await decisions.requireSubscriber(id);
        const taken = await decisions.decideSubscription({ id, line });
        names.set(line.external_id, taken.id);
        return taken.decide;
      },
    );
    const payments = filterByKind('payment', group);
    const own = payments.filter(({ value }) => names.has(value.subscription_external_id));
    this.otherPayments.push(...payments.filter((each) => !own.includes(each)));
    const paid = await this.prepareLines(own, (line) =>
      decisions.decidePayment(line, names.get(line.subscription_external_id) ?? null),
    );
    const refused = await this.decide(id, [...ready, ...subscriptions, ...paid], isNew);
    for (const { line, value } of filterByKind('subscription', group)) {
      const owner = names.get(value.external_id);
      if (refused.has(line) && owner !== undefined) await decisions.release(value, owner);
    }
  }

  /** Imports payments whose subscription is not among these lines. */
  async importPayments(name: string, group: readonly NumberedLine<PaymentLine>[]): Promise<void> {
    const id = await this.decisions.findSubscription(name);
    const ready = await this.prepareLines(group, (line) => this.decisions.decidePayment(line, id));
    const subscriberId = id === null ? null : findOwner('sub', id);
    if (subscriberId !== null) await this.decide(subscriberId, ready, false);
  }

  /**
   * Prepares a decision for each line. A line that cannot be prepared is refused and left out of
   * the result.
   */
  private async prepareLines<Line extends ImportLine>(
    lines: readonly NumberedLine<Line>[],
    prepare: (line: Line, commandId: string) => Decide | Promise<Decide>,
  ): Promise<DecidableLine[]> {
    const ready: DecidableLine[] = [];
    for (const { line, value } of lines) {
      try {
        const commandId = this.decisions.createCommandId(value);
        const createFormerCommandId = (): string => this.decisions.createFormerCommandId(value);
        const decide = refuseErased(value, await prepare(value, commandId));
        ready.push({ line, step: { commandId, formerCommandId: createFormerCommandId, decide } });
      } catch (error) {
        this.refuse(line, error);
      }
    }
    return ready;
  }

  /** Decides and stores lines. Returns the refused ones. */
  private async decide(
    subscriberId: string,
    ready: readonly DecidableLine[],
    assumesNew: boolean,
  ): Promise<ReadonlySet<number>> {
    const refused = new Set<number>();
    const stream = streams.subscriber(this.context.scope, subscriberId);
    const context = { ...this.context, commandId: '', resumed: false, assumesNew };
    for (let from = 0; from < ready.length; from += LINES_PER_APPEND) {
      const some = ready.slice(from, from + LINES_PER_APPEND);
      const steps = some.map(({ step }) => step);
      const outcomes = await this.parts.aggregates.runAll(
        subscriberAggregate,
        stream,
        context,
        steps,
      );
      some.forEach(({ line }, i) => {
        const outcome = outcomes[i];
        // A line that adds no facts is either a repeated one, or its name belongs to another
        // object.
        const refusal = outcome === 'nothing' ? inUseError() : outcome;
        if (!(refusal instanceof DomainError)) return;
        this.refuse(line, refusal);
        refused.add(line);
      });
    }
    return refused;
  }

  /** Records a refused line. Any other error stops the chunk, which is then repeated. */
  private refuse(line: number, error: unknown): void {
    if (!(error instanceof DomainError) || error.code === 'service_unavailable') throw error;
    this.refused.push({ line, error });
  }
}

/** The field of a line by which its subscriber is found. */
const OWNER_FIELDS: Readonly<Record<ImportLine['kind'], string>> = {
  subscriber: 'external_id',
  subscription: 'subscriber_external_id',
  payment: 'subscription_external_id',
};

/**
 * Refuses every line of an erased subscriber, also a repeated one: otherwise the response would
 * tell whether the line is what was erased.
 */
const refuseErased =
  ({ kind }: ImportLine, decide: Decide): Decide =>
  (state) => {
    requireNotErased(state.profile, OWNER_FIELDS[kind]);
    return decide(state);
  };

const runConcurrently = async <T>(
  all: readonly T[],
  work: (one: T) => Promise<void>,
): Promise<void> => {
  const left = all.values();
  const runWorker = async (): Promise<void> => {
    for (const one of left) await work(one);
  };
  await Promise.all(Array.from({ length: Math.min(CONCURRENCY, all.length) }, runWorker));
};

const inUseError = (): DomainError =>
  new DomainError('external_id_in_use', 'Another object has this external_id.', {
    param: 'external_id',
  });
