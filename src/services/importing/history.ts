import type { CommandStep } from '../../event-store/steps';
import { streams } from '../../event-store/streams';
import { DomainError } from '../../kernel/errors';
import { findOwner } from '../../kernel/ids';
import {
  type Subscriber,
  subscriberAggregate,
  type SubscriberStreamFact,
} from '../../domain/subscriber-stream/subscriber.aggregate';
import { bySubscription, groupLines, type Numbered, ofKind } from './grouping';
import type { ImportLine, PaymentLine } from './import.lines';
import { type Decide, type ImportContext, LineDecisions, type LineParts } from './line.decisions';

/** An append has a limit of 1 MiB, and a line leads to some kilobytes. */
const LINES_PER_APPEND = 50;
/** Subscribers taken over at the same time. */
const CONCURRENCY = 512;

/** A line that was not taken over, and why. */
export interface Refusal {
  readonly line: number;
  readonly error: DomainError;
}

interface Ready {
  readonly line: number;
  readonly step: CommandStep<Subscriber, SubscriberStreamFact>;
}

/** Takes lines over, one append for all that they say of a subscriber. */
export class History {
  constructor(
    private readonly parts: LineParts,
    /** Resolves when the next subscriber may be taken over: live requests go first. */
    private readonly turn: () => Promise<void> = () => Promise.resolve(),
  ) {}

  /** Subscribers go before their subscriptions before their payments; answers what was refused. */
  async takeOver(context: ImportContext, lines: readonly Numbered[]): Promise<Refusal[]> {
    const taking = new TakingOver(this.parts, context);
    const { subscribers, payments } = groupLines(lines);
    await eachOf([...subscribers], async ([name, group]) => {
      await this.turn();
      await taking.subscriber(name, group);
    });
    // Payments of subscriptions that came earlier, or whose name another line turned out to hold.
    const rest = bySubscription([...payments, ...taking.strangers]);
    await eachOf([...rest], async ([name, group]) => {
      await this.turn();
      await taking.payments(name, group);
    });
    return taking.refused;
  }
}

class TakingOver {
  readonly refused: Refusal[] = [];
  readonly strangers: Numbered<PaymentLine>[] = [];
  private readonly decisions: LineDecisions;

  constructor(
    private readonly parts: LineParts,
    private readonly context: ImportContext,
  ) {
    this.decisions = new LineDecisions(parts, context);
  }

  /** All that the lines say of one subscriber, in the order it has to be taken over. */
  async subscriber(name: string, group: readonly Numbered[]): Promise<void> {
    const { decisions } = this;
    const id = decisions.subscriberId(name);
    const ready = await this.ready(ofKind('subscriber', group), (line, commandId) =>
      decisions.subscriber({ id, commandId, line }),
    );
    const assumesNew = ready.length > 0;
    const names = new Map<string, string>();
    const subscriptions = await this.ready(ofKind('subscription', group), async (line) => {
      if (!assumesNew) await decisions.requireSubscriber(id);
      const taken = await decisions.subscription({ id, line });
      names.set(line.external_id, taken.id);
      return taken.decide;
    });
    const payments = ofKind('payment', group);
    const own = payments.filter(({ value }) => names.has(value.subscription_external_id));
    this.strangers.push(...payments.filter((each) => !own.includes(each)));
    const paid = await this.ready(own, (line) =>
      decisions.payment(line, names.get(line.subscription_external_id) ?? null),
    );
    const refused = await this.decide(id, [...ready, ...subscriptions, ...paid], assumesNew);
    for (const { line, value } of ofKind('subscription', group)) {
      const owner = names.get(value.external_id);
      if (refused.has(line) && owner !== undefined) await decisions.release(value, owner);
    }
  }

  /** Payments of one subscription that the lines do not take over themselves. */
  async payments(name: string, group: readonly Numbered<PaymentLine>[]): Promise<void> {
    const id = await this.decisions.subscriptionOf(name);
    const ready = await this.ready(group, (line) => this.decisions.payment(line, id));
    const subscriberId = id === null ? null : findOwner('sub', id);
    if (subscriberId !== null) await this.decide(subscriberId, ready, false);
  }

  /** The lines that can be decided; a line that cannot is refused. */
  private async ready<Line extends ImportLine>(
    lines: readonly Numbered<Line>[],
    prepare: (line: Line, commandId: string) => Decide | Promise<Decide>,
  ): Promise<Ready[]> {
    const ready: Ready[] = [];
    for (const { line, value } of lines) {
      try {
        const commandId = this.decisions.commandIdOf(value);
        const formerCommandId = (): string => this.decisions.formerCommandIdOf(value);
        const decide = await prepare(value, commandId);
        ready.push({ line, step: { commandId, formerCommandId, decide } });
      } catch (error) {
        this.refuse(line, error);
      }
    }
    return ready;
  }

  /** Answers the lines that were refused. */
  private async decide(
    subscriberId: string,
    ready: readonly Ready[],
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
        // A line that decides nothing and is no repeat has the name of another object.
        const refusal = outcome === 'nothing' ? inUse() : outcome;
        if (!(refusal instanceof DomainError)) return;
        this.refuse(line, refusal);
        refused.add(line);
      });
    }
    return refused;
  }

  /** A refusal is the line's own fault; anything else is not, and all is tried again. */
  private refuse(line: number, error: unknown): void {
    if (!(error instanceof DomainError) || error.code === 'service_unavailable') throw error;
    this.refused.push({ line, error });
  }
}

const eachOf = async <T>(all: readonly T[], work: (one: T) => Promise<void>): Promise<void> => {
  const left = all.values();
  const worker = async (): Promise<void> => {
    for (const one of left) await work(one);
  };
  await Promise.all(Array.from({ length: Math.min(CONCURRENCY, all.length) }, worker));
};

const inUse = (): DomainError =>
  new DomainError('external_id_in_use', 'Another object has this external_id.', {
    param: 'external_id',
  });
