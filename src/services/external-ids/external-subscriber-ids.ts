import type { Aggregates } from '../../event-store/aggregates';
import { createExternalIdEntropy } from '../../event-store/external-ids';
import type { MasterKey } from '../../event-store/master-key';
import { streams } from '../../event-store/streams';
import { newSubscriberId } from '../../kernel/ids';
import type { Scope } from '../../kernel/scope';
import { subscriberAggregate } from '../../domain/subscriber-stream/subscriber.aggregate';

/** Gives the subscriber with an external id its id, whether the subscriber exists already or not. */
export class ExternalSubscriberIds {
  constructor(
    private readonly aggregates: Aggregates,
    private readonly masterKey: MasterKey,
  ) {}

  /**
   * Returns the id of an external id. The id is derived, so that two subscribers with the same
   * external id would have the same stream. Subscribers that were removed with their test clock are
   * passed over: their external ids can be used again (D-111).
   */
  async choose(scope: Scope, externalId: string): Promise<string> {
    let id = this.derive(scope, externalId, 0);
    for (let removed = 1; await this.isRemoved(scope, id); removed += 1) {
      id = this.derive(scope, externalId, removed);
    }
    return id;
  }

  private derive(scope: Scope, externalId: string, removed: number): string {
    const kind = removed === 0 ? 'subscriber' : `subscriber ${removed}`;
    return newSubscriberId(createExternalIdEntropy(this.masterKey, scope, { kind, externalId }));
  }

  /** Only test environments have test clocks, so a live environment reads nothing here. */
  private async isRemoved(scope: Scope, id: string): Promise<boolean> {
    if (scope.environment === 'live') return false;
    const { state } = await this.aggregates.load(
      subscriberAggregate,
      streams.subscriber(scope, id),
    );
    return state.profile.status === 'removed';
  }
}
