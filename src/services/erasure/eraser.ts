import { setTimeout as delay } from 'node:timers/promises';
import { warnOfFailure } from '../../event-store/failures';
import type { MailFiles } from '../../delivery/mail/mail-files';
import type { Aggregates, DecisionInput } from '../../event-store/aggregates';
import { followLog, type LogPosition, readNewestPosition } from '../../event-store/catch-up';
import type { EventStoreConnection } from '../../event-store/connection';
import { readStream } from '../../event-store/read';
import { keepSubscribed } from '../../event-store/keep-subscribed';
import { streams } from '../../event-store/streams';
import type { Vault } from '../../event-store/vault';
import { createEntropy } from '../../event-store/entropy';
import type { IdempotencyStore } from '../../http/pipeline/idempotency';
import { CommandDraft } from '../../kernel/draft';
import { type Entropy, newOwnedId, type OwnedPrefix } from '../../kernel/ids';
import { parseScope, scopeName, type TenantContext } from '../../kernel/scope';
import type { Instant } from '../../kernel/time';
import { isOutage } from '../../event-store/store-outage';
import { noteErasure } from '../store-maintenance/daily-scavenge';
import type { Database } from '../../read-models/database';
import { expireAll } from '../../domain/motions/run.decider';
import {
  type Subscriber,
  subscriberAggregate,
  type SubscriberStreamFact,
} from '../../domain/subscriber-stream/subscriber.aggregate';
import { endNow } from '../../domain/billing/ending';
import { isRunning } from '../../domain/billing/primary';
import { erase, remove } from '../../domain/subscribers/subscriber.decider';

const ERASED = 'subscriber.erased';
const LOOK_EVERY_MS = 15_000;
const BATCH = 100;

/** Nothing is charged, sent or waited for any more for who is gone. */
const endWithEverything = (
  { state, now, entropy }: DecisionInput<Subscriber>,
  { actor }: TenantContext,
  end: typeof erase,
): SubscriberStreamFact[] => {
  const draft = new CommandDraft(subscriberAggregate, state, now);
  if (state.profile.status === 'known') {
    for (const subscription of Object.values(state.subscriptions).filter(isRunning)) {
      endNow(
        draft,
        { actor, newId: newIdFrom(entropy) },
        { subscription, cancellation: { reason: 'merchant', feedback: null, comment: null } },
      );
    }
    expireAll(draft);
  }
  draft.add(...end(now, actor)(draft.state));
  return draft.facts;
};

/** Event ids follow from the command's: each subscriber's append is a command of its own. */
const ownCommand = (context: TenantContext, id: string): TenantContext => {
  const commandId = `${context.commandId} ${id}`;
  const { expectedSequence: _, assumesNew: __, ...rest } = context;
  return { ...rest, commandId, entropy: createEntropy(commandId), resumed: false };
};

const newIdFrom =
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

interface Erased {
  readonly erasedAt: Instant;
  /** The stream's last. */
  readonly revision: number;
  /** By this very command; false where it had been erased before. */
  readonly stated: boolean;
}

interface ToForget {
  /** `<tenant>.<environment>` */
  readonly scope: string;
  readonly id: string;
}

/**
 * Makes stated erasures true (D-114): destroys the subscriber's data key, so that nothing sealed in
 * the log can be read again, and forgets the stored responses and the messages kept as files.
 * Everything here may be repeated; the loop finds what a process left undone that died right after it
 * stated an erasure.
 */
export class Eraser {
  constructor(private readonly parts: EraserParts) {}

  /** States the erasure, then makes it true. What is running is cancelled first (Clarifications). */
  erase(context: TenantContext, id: string, param?: string): Promise<Erased> {
    return this.end(context, id, (at, actor) => erase(at, actor, param));
  }

  /** As an erasure, and leaves no tombstone; part of a command about something else. */
  remove(context: TenantContext, id: string): Promise<Erased> {
    return this.end(ownCommand(context, id), id, remove);
  }

  private async end(context: TenantContext, id: string, end: typeof erase): Promise<Erased> {
    const stream = streams.subscriber(context.scope, id);
    const { state, facts, revision } = await this.parts.aggregates.run(
      subscriberAggregate,
      stream,
      context,
      (moment) => endWithEverything(moment, context, end),
    );
    const { profile } = state;
    if (profile.status === 'absent' || profile.status === 'known') {
      throw new Error('the erasure was not stated');
    }
    const { erasedAt } = profile;
    await this.forget({ scope: scopeName(context.scope), id });
    return { erasedAt, revision, stated: facts.length > 0 };
  }

  private async forget({ scope, id }: ToForget): Promise<void> {
    const { aggregates, vault, idempotency, mailFiles } = this.parts;
    aggregates.stopCaching(streams.subscriber(parseScope(scope), id));
    await vault.erase(id);
    await idempotency.forget(id);
    await this.forgetTrialMails(scope, id);
    await noteErasure(this.parts.database);
    await mailFiles.deleteForEvents(() => this.eventsOf(scope, id));
  }

  /** Drops what this process has in memory and in its own files; another process does the rest. */
  private async forgetHere({ scope, id }: ToForget): Promise<void> {
    const { aggregates, vault, mailFiles } = this.parts;
    aggregates.stopCaching(streams.subscriber(parseScope(scope), id));
    vault.dropKey(id);
    await mailFiles.deleteForEvents(() => this.eventsOf(scope, id));
  }

  /** The mails of trials lie unsealed in a table, because a trial's event may have no subscriber. */
  private async forgetTrialMails(scope: string, id: string): Promise<void> {
    const kept = await this.parts.database.query<{ event_id: string }>({
      text: 'select distinct event_id from test_mails where scope = $1',
      values: [scope],
    });
    const events = new Set(kept.map(({ event_id }) => event_id));
    if (events.size === 0) return;
    for await (const event of this.eventsOf(scope, id)) {
      if (!events.has(event)) continue;
      await this.parts.database.query({
        text: 'delete from test_mails where scope = $1 and event_id = $2',
        values: [scope, event],
      });
    }
  }

  /**
   * Follows the erasures of all processes, so that this one remembers nothing for longer than it takes
   * an event to arrive. What was erased before the start is not in its memory.
   */
  async follow(signal: AbortSignal): Promise<void> {
    const { connection } = this.parts;
    let after: LogPosition | null | undefined;
    const name = 'erasures';
    await keepSubscribed({ connection, name, signal }, async ({ markHealthy, watched }) => {
      after ??= await readNewestPosition(connection);
      const types = [ERASED];
      for await (const batch of followLog(connection, { after, signal, watched, types })) {
        markHealthy();
        for (const { type, owner } of batch.events) {
          if (type !== ERASED || owner === null) continue;
          await this.forgetHere({ scope: owner.scopeName, id: owner.subscriberId });
        }
        after = batch.position ?? after;
      }
    });
  }

  private async *eventsOf(scope: string, id: string): AsyncGenerator<string> {
    const { client } = this.parts.connection;
    const { name } = streams.subscriber(parseScope(scope), id);
    for await (const event of readStream(client, name)) yield event.id;
  }

  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.forgetPending(signal).catch((error: unknown) => {
        warnOfFailure('could not finish erasures', 'eraser', error);
      });
      await delay(LOOK_EVERY_MS, undefined, { signal }).catch(() => undefined);
    }
  }

  /** In order, all of them: one that fails holds up none behind it, and is tried again next time. */
  private async forgetPending(signal: AbortSignal): Promise<void> {
    let after: ToForget | undefined = { scope: '', id: '' };
    while (after !== undefined && !signal.aborted) {
      const pending: readonly ToForget[] = await this.pendingAfter(after);
      for (const erasure of pending) await this.finish(erasure);
      after = pending.at(-1);
    }
  }

  private pendingAfter({ scope, id }: ToForget): Promise<ToForget[]> {
    return this.parts.database.query<ToForget>({
      name: 'pending erasures',
      text: `select scope, subscriber_id as id from erasures
        where (scope, subscriber_id) > ($1, $2) order by scope, subscriber_id limit ${BATCH}`,
      values: [scope, id],
    });
  }

  private async finish({ scope, id }: ToForget): Promise<void> {
    try {
      await this.forget({ scope, id });
      await this.parts.database.query({
        text: 'delete from erasures where scope = $1 and subscriber_id = $2',
        values: [scope, id],
      });
    } catch (error) {
      // With a store away no other would fare better.
      if (isOutage(error)) throw error;
      warnOfFailure('could not finish an erasure', id, error);
    }
  }
}
