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
  type Environment,
  parseScope,
  scopeName,
  type TenantContext,
} from '../../kernel/scope';
import type { Clock } from '../../kernel/time';
import { pollUntilStopped, waitAtMost } from '../../ops/polling';
import type { Database } from '../../read-models/database';
import type { Eraser } from '../erasure/eraser';

/** A subscriber who was registered just before the deletion is found at the next look. */
const LOOK_EVERY_MS = 15_000;
const SUBSCRIBERS_AT_ONCE = 100;
const ENVIRONMENTS: readonly Environment[] = ['live', 'test'];

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

interface LivingSubscriber {
  readonly scope: string;
  readonly id: string;
}

/**
 * Removes what a deleted tenant still has: destinations, keys, members, and subscribers with their
 * personal data. It looks at what is there instead of noting what it has done, so it continues
 * after an interruption. Several processes may do it at once, because every step may be repeated.
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
      // A deletion that comes during the round starts the next one at once.
      seen = tenants.version;
      return this.removeAll(signal);
    };
    await pollUntilStopped(signal, removeAll, {
      everyMs: LOOK_EVERY_MS,
      wait: (ms) => waitAtMost(ms, signal, (either) => tenants.waitUntilChanged(seen, either)),
      onFailure: (error) => {
        warnOfFailure('deleted tenants cannot be emptied: it is tried again', 'tenants', error);
      },
    });
  }

  private async removeAll(signal: AbortSignal): Promise<void> {
    const deleted = this.parts.tenants.listDeleted();
    if (deleted.length === 0) return;
    for (const tenant of deleted) await this.closeDoors(tenant);
    await this.eraseSubscribers(deleted, signal);
  }

  /** Deletes destinations first, so that nothing is sent about the erasures. */
  private async closeDoors({ id: tenantId }: KnownTenant): Promise<void> {
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
    for (const { id } of keys.listWorking(tenantId)) {
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

  private listSubscribers(scopes: readonly string[], after: string): Promise<LivingSubscriber[]> {
    return this.parts.database.query<LivingSubscriber>({
      name: 'subscribers of deleted tenants',
      text: `select scope, id from subscribers
        where scope = any($1) and erased_at is null and id > $2
        order by id limit ${SUBSCRIBERS_AT_ONCE}`,
      values: [scopes, after],
    });
  }

  private createContext(): CommandContext {
    return createSystemContext('tenant_removal', this.parts.clock);
  }
}
