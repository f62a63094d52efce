import { requirePresent } from '../../kernel/present';
import type { ApiKeyDirectory } from '../../directories/api-key.directory';
import type { DestinationDirectory } from '../../directories/destination.directory';
import type { MemberDirectory } from '../../directories/member.directory';
import type { TenantDirectory } from '../../directories/tenant.directory';
import { apiKeyAggregate, revokeKey } from '../../domain/api-keys/api-key.decider';
import {
  destinationAggregate,
  isGone,
  deleteDestination,
} from '../../domain/destinations/destination.decider';
import { leaveTenant, memberAggregate } from '../../domain/members/member.decider';
import type { KnownTenant } from '../../domain/tenants/tenant.decider';
import type { Aggregates } from '../../event-store/aggregates';
import { warnOfFailure } from '../../event-store/failures';
import { streams } from '../../event-store/streams';
import { createSystemContext } from '../../event-store/system-context';
import {
  type CommandContext,
  ENVIRONMENTS,
  parseScope,
  scopeName,
  type TenantContext,
} from '../../kernel/scope';
import type { Clock } from '../../kernel/time';
import { pollUntilStopped, waitAtMost } from '../../ops/polling';
import type { Database } from '../../read-models/database';
import type { Eraser } from '../erasure/eraser';

/**
 * Interval of the rounds. A later round finds a subscriber who was registered just before the
 * deletion.
 */
const ROUND_INTERVAL_MS = 15_000;
const SUBSCRIBERS_PER_PAGE = 100;

interface RemoverParts {
  readonly aggregates: Aggregates;
  readonly tenants: TenantDirectory;
  readonly destinations: DestinationDirectory;
  readonly keys: ApiKeyDirectory;
  readonly members: MemberDirectory;
  readonly eraser: Eraser;
  readonly database: Database;
  readonly clock: Clock;
}

interface SubscriberRow {
  readonly scope: string;
  readonly id: string;
}

/**
 * Removes the data of deleted tenants: destinations, keys, members, and subscribers with their
 * personal data. Each round looks for data that still exists, so it continues after an
 * interruption, and several processes may do it concurrently.
 */
export class TenantRemover {
  constructor(private readonly parts: RemoverParts) {}

  async run(signal: AbortSignal): Promise<void> {
    const { tenants, destinations, keys, members } = this.parts;
    const directories = [tenants, destinations, keys, members];
    await Promise.all(directories.map((each) => each.waitUntilReady(signal))).catch(
      () => undefined,
    );
    let seen = tenants.version;
    const removeAll = (): Promise<void> => {
      // The version is read before the round, so a tenant that is deleted during the round starts
      // the next one without a wait.
      seen = tenants.version;
      return this.removeAll(signal);
    };
    await pollUntilStopped(signal, removeAll, {
      everyMs: ROUND_INTERVAL_MS,
      wait: (ms) => waitAtMost(ms, signal, (either) => tenants.waitUntilChanged(seen, either)),
      onFailure: (error) => {
        warnOfFailure('deleted tenants cannot be emptied: it is tried again', 'tenants', error);
      },
    });
  }

  private async removeAll(signal: AbortSignal): Promise<void> {
    const deleted = this.parts.tenants.listDeleted();
    if (deleted.length === 0) return;
    for (const tenant of deleted) await this.removeAccess(tenant);
    await this.eraseSubscribers(deleted, signal);
  }

  /** Deletes destinations first, so that nothing is sent about the erasures. */
  private async removeAccess({ id: tenantId }: KnownTenant): Promise<void> {
    const { aggregates, destinations, keys, members, clock } = this.parts;
    const now = clock.now();
    for (const environment of ENVIRONMENTS) {
      for (const { id } of destinations.listInScope({ tenantId, environment })) {
        const stream = streams.destination(id);
        await aggregates.run(destinationAggregate, stream, this.createContext(), ({ state }) =>
          state.lifecycle !== 'known' || isGone(state, now)
            ? []
            : deleteDestination({ force: true, now })(state),
        );
      }
    }
    for (const { id } of keys.listUnrevoked(tenantId)) {
      await aggregates.run(apiKeyAggregate, streams.apiKey(id), this.createContext(), ({ state }) =>
        revokeKey(now)(state),
      );
    }
    const people = [...members.listMembers(tenantId), ...members.listInvited(tenantId)];
    for (const { id } of people) {
      await aggregates.run(memberAggregate, streams.member(id), this.createContext(), ({ state }) =>
        leaveTenant(tenantId)(state),
      );
    }
  }

  private async eraseSubscribers(
    tenants: readonly KnownTenant[],
    signal: AbortSignal,
  ): Promise<void> {
    const names = new Map(tenants.map(({ id, name }) => [id, name]));
    const scopes = tenants.flatMap(({ id: tenantId }) =>
      ENVIRONMENTS.map((environment) => scopeName({ tenantId, environment })),
    );
    let after = '';
    while (!signal.aborted) {
      const found = await this.listSubscribers(scopes, after);
      const last = found.at(-1);
      if (last === undefined) return;
      for (const { scope: ownScope, id } of found) {
        signal.throwIfAborted();
        const scope = parseScope(ownScope);
        const name = requirePresent(names.get(scope.tenantId), 'the name of a tenant');
        const tenant = { id: scope.tenantId, name };
        const context: TenantContext = { ...this.createContext(), scope, tenant };
        await this.parts.eraser.remove(context, id);
      }
      after = last.id;
    }
  }

  private listSubscribers(scopes: readonly string[], after: string): Promise<SubscriberRow[]> {
    return this.parts.database.query<SubscriberRow>({
      name: 'subscribers of deleted tenants',
      text: `select scope, id from subscribers
        where scope = any($1) and erased_at is null and id > $2
        order by id limit ${SUBSCRIBERS_PER_PAGE}`,
      values: [scopes, after],
    });
  }

  private createContext(): CommandContext {
    return createSystemContext('tenant_removal', this.parts.clock);
  }
}
