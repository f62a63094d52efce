import { warnOfFailure } from '../../event-store/failures';
import { pollUntilStopped } from '../../ops/polling';
import type { MailFiles } from '../../delivery/mail/mail-files';
import type { Aggregates, DecisionInput } from '../../event-store/aggregates';
import type { EventStoreConnection } from '../../event-store/connection';
import { readEventIds } from '../../event-store/read';
import { type Stream, streams } from '../../event-store/streams';
import type { Vault } from '../../event-store/vault';
import { createEntropy } from '../../event-store/entropy';
import type { IdempotencyStore } from '../../http/pipeline/idempotency';
import { CommandDraft } from '../../kernel/draft';
import { type Entropy, newOwnedId, type OwnedPrefix } from '../../kernel/ids';
import { parseScope, scopeName, type TenantContext } from '../../kernel/scope';
import type { Instant } from '../../kernel/time';
import { isOutage } from '../../event-store/store-outage';
import { recordErasure } from '../store-maintenance/daily-scavenge';
import type { Database } from '../../read-models/database';
import { expireAllRuns } from '../../domain/motions/run.decider';
import {
  type Subscriber,
  subscriberAggregate,
  type SubscriberStreamFact,
} from '../../domain/subscriber-stream/subscriber.aggregate';
import { voidAllCredits } from '../../domain/billing/credit.decider';
import { cancelNow } from '../../domain/billing/ending';
import { isRunning } from '../../domain/billing/primary';
import { closeAllTickets } from '../../domain/tickets/ticket.decider';
import { eraseSubscriber, removeSubscriber } from '../../domain/subscribers/subscriber.decider';

const POLL_MS = 15_000;
const BATCH = 100;

/** An append is limited to 1 MiB, and the end of a credit or a ticket takes some kilobytes. */
const ENDED_PER_APPEND = 100;

/** Voids the credits and closes the tickets of a subscriber. */
const endCreditsAndTickets = (
  { state, now }: Pick<DecisionInput<Subscriber>, 'state' | 'now'>,
  { actor }: TenantContext,
): SubscriberStreamFact[] => {
  const draft = new CommandDraft(subscriberAggregate, state, now);
  voidAllCredits(draft, actor);
  draft.add(...closeAllTickets(draft.state.tickets, { actor, now }));
  return draft.facts;
};

/**
 * Ends everything that is open for a subscriber before the erasure, because nobody can end it
 * afterwards: subscriptions, motion runs that wait for an answer, credits and tickets.
 */
const endAndErase = (
  { state, now, entropy }: DecisionInput<Subscriber>,
  context: TenantContext,
  end: typeof eraseSubscriber,
): SubscriberStreamFact[] => {
  const { actor } = context;
  const draft = new CommandDraft(subscriberAggregate, state, now);
  if (state.profile.status === 'known') {
    for (const subscription of Object.values(state.subscriptions).filter(isRunning)) {
      cancelNow(
        draft,
        { actor, newId: createIdFactory(entropy) },
        { subscription, cancellation: { reason: 'merchant', feedback: null, comment: null } },
      );
    }
    expireAllRuns(draft);
    draft.add(...endCreditsAndTickets({ state: draft.state, now }, context));
  }
  draft.add(...end(now, actor)(draft.state));
  return draft.facts;
};

/**
 * Creates a new command context for each subscriber. Event ids are derived from the command id, so
 * they would be equal otherwise.
 */
const createOwnCommand = (context: TenantContext, id: string): TenantContext => {
  const commandId = `${context.commandId} ${id}`;
  const { expectedSequence: _, assumesNew: __, ...rest } = context;
  return { ...rest, commandId, entropy: createEntropy(commandId), resumed: false };
};

const createIdFactory =
  (entropy: Entropy) =>
  (prefix: OwnedPrefix, subscriberId: string, label: string): string =>
    newOwnedId(prefix, subscriberId, entropy, `${prefix} ${label}`);

interface EraserParts {
  readonly aggregates: Aggregates;
  readonly connection: EventStoreConnection;
  readonly vault: Vault;
  readonly idempotency: IdempotencyStore;
  readonly mailFiles: MailFiles;
  readonly database: Database;
}

interface ErasureResult {
  readonly erasedAt: Instant;
  /** Last revision of the stream. */
  readonly revision: number;
  /** True if this command stored the erasure; false if the subscriber was already erased. */
  readonly stated: boolean;
}

interface PendingErasure {
  /** Name of the scope: `<tenant>.<environment>`. */
  readonly scope: string;
  readonly id: string;
}

/**
 * Carries out erasures (D-114). It destroys the subscriber's data key, so that sealed values in the
 * log can never be read again, and deletes stored responses and messages in files. Every step may
 * be repeated. The loop completes erasures of processes that died after storing one.
 */
export class Eraser {
  constructor(private readonly parts: EraserParts) {}

  /** Stores an erasure and carries it out. Running subscriptions are cancelled first. */
  erase(context: TenantContext, id: string, param?: string): Promise<ErasureResult> {
    return this.storeErasure(context, id, (at, actor) => eraseSubscriber(at, actor, param));
  }

  /** Erases a subscriber without a tombstone, as part of another command. */
  remove(context: TenantContext, id: string): Promise<ErasureResult> {
    return this.storeErasure(createOwnCommand(context, id), id, removeSubscriber);
  }

  private async storeErasure(
    context: TenantContext,
    id: string,
    end: typeof eraseSubscriber,
  ): Promise<ErasureResult> {
    const stream = streams.subscriber(context.scope, id);
    const own = await this.endManyObjects(context, stream);
    const { state, facts, revision } = await this.parts.aggregates.run(
      subscriberAggregate,
      stream,
      own,
      (moment) => endAndErase(moment, own, end),
    );
    const { profile } = state;
    if (profile.status === 'absent' || profile.status === 'known') {
      throw new Error('the erasure of a subscriber was not stored');
    }
    const { erasedAt } = profile;
    await this.removeData({ scope: scopeName(context.scope), id });
    return { erasedAt, revision, stated: facts.length > 0 };
  }

  /**
   * Ends credits and tickets in appends of their own while there are too many for one append.
   * Returns the context of the erasure: after the first of these appends, the sequence that the
   * caller expects has been checked.
   */
  private async endManyObjects(context: TenantContext, stream: Stream): Promise<TenantContext> {
    const { expectedSequence: _, ...unconditional } = context;
    let next = context;
    for (let part = 1; ; part += 1) {
      // A repeat of an interrupted erasure finds the parts that are stored, and goes on after them.
      const own = { ...next, commandId: `${context.commandId} part ${part}` };
      const { facts } = await this.parts.aggregates.run(
        subscriberAggregate,
        stream,
        own,
        (moment) => {
          if (moment.state.profile.status !== 'known') return [];
          const open = endCreditsAndTickets(moment, own);
          return open.length > ENDED_PER_APPEND ? open.slice(0, ENDED_PER_APPEND) : [];
        },
      );
      if (facts.length === 0) return next;
      next = unconditional;
    }
  }

  private async removeData({ scope, id }: PendingErasure): Promise<void> {
    const { aggregates, vault, idempotency, mailFiles } = this.parts;
    aggregates.stopCaching(streams.subscriber(parseScope(scope), id));
    await vault.erase(id);
    await idempotency.forget(id);
    await this.deleteTestMails(scope, id);
    await recordErasure(this.parts.database);
    await mailFiles.deleteForEvents(() => this.listEventIds(scope, id));
  }

  /** Deletes test mails. They are stored unsealed, because a test event may have no subscriber. */
  private async deleteTestMails(scope: string, id: string): Promise<void> {
    const kept = await this.parts.database.query<{ event_id: string }>({
      text: 'select distinct event_id from test_mails where scope = $1',
      values: [scope],
    });
    const events = new Set(kept.map(({ event_id }) => event_id));
    if (events.size === 0) return;
    for await (const event of this.listEventIds(scope, id)) {
      if (!events.has(event)) continue;
      await this.parts.database.query({
        text: 'delete from test_mails where scope = $1 and event_id = $2',
        values: [scope, event],
      });
    }
  }

  private listEventIds(scope: string, id: string): AsyncGenerator<string> {
    const { name } = streams.subscriber(parseScope(scope), id);
    return readEventIds(this.parts.connection.client, name);
  }

  async run(signal: AbortSignal): Promise<void> {
    await pollUntilStopped(signal, () => this.finishPending(signal), {
      everyMs: POLL_MS,
      onFailure: (error) => {
        warnOfFailure('pending erasures cannot be read: it is tried again', 'eraser', error);
      },
    });
  }

  /**
   * Completes all pending erasures in order. One that fails does not block the others and is tried
   * again in the next round.
   */
  private async finishPending(signal: AbortSignal): Promise<void> {
    let after: PendingErasure | undefined = { scope: '', id: '' };
    while (after !== undefined && !signal.aborted) {
      const pending: readonly PendingErasure[] = await this.listPendingAfter(after);
      for (const erasure of pending) await this.finish(erasure);
      after = pending.at(-1);
    }
  }

  private listPendingAfter({ scope, id }: PendingErasure): Promise<PendingErasure[]> {
    return this.parts.database.query<PendingErasure>({
      name: 'pending erasures',
      text: `select scope, subscriber_id as id from erasures
        where (scope, subscriber_id) > ($1, $2) order by scope, subscriber_id limit ${BATCH}`,
      values: [scope, id],
    });
  }

  private async finish({ scope, id }: PendingErasure): Promise<void> {
    try {
      await this.removeData({ scope, id });
      await this.parts.database.query({
        text: 'delete from erasures where scope = $1 and subscriber_id = $2',
        values: [scope, id],
      });
    } catch (error) {
      // During an outage the other erasures would fail too, so the round ends.
      if (isOutage(error)) throw error;
      warnOfFailure('an erasure cannot be completed: it is tried again', id, error);
    }
  }
}
