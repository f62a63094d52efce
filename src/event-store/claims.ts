import type { Decider, Fact } from '../kernel/decider';
import { DomainError } from '../kernel/errors';
import type { Scope, TenantContext } from '../kernel/scope';
import { type Instant, msBetween } from '../kernel/time';
import type { Aggregates, Decide } from './aggregates';
import type { MasterKey } from './master-key';
import { createReservationContext } from './reservation';
import { streams } from './streams';

/**
 * A claim without an existing owner stays valid for this time, because the command that creates the
 * owner may still be running.
 */
const UNCONFIRMED_CLAIM_MS = 60_000;

type ClaimFact = Fact<'claim.made' | 'claim.released', { owner: string }>;
type Claim = { readonly owner: string; readonly at: Instant } | null;

const claimDecider: Decider<Claim, ClaimFact> = {
  initialState: () => null,
  evolve: (_, { type, data, at }) => (type === 'claim.made' ? { owner: data.owner, at } : null),
};

export interface ClaimRequest {
  readonly kind: 'plan' | 'subscription';
  /** The tenant's own id of the object, unique per tenant and environment (D-07). */
  readonly externalId: string;
  readonly owner: string;
  readonly findOwnerState: (owner: string) => Promise<OwnerState>;
}

/**
 * The owner of a claim: it exists, it is absent because its command was interrupted or still runs,
 * or it was removed and frees its name at once.
 */
export type OwnerState = 'exists' | 'absent' | 'removed';

/**
 * Reserves names that must be unique. Each name is a small stream, and the first append wins in
 * every process.
 */
export class Claims {
  constructor(
    private readonly aggregates: Aggregates,
    private readonly masterKey: MasterKey,
  ) {}

  async claim(context: TenantContext, request: ClaimRequest): Promise<void> {
    const digest = this.digest(request.kind, request.externalId);
    const stream = streams.claim(context.scope, digest);
    const claiming = createReservationContext(context, `${context.commandId} ${digest}`);
    await this.aggregates.run(claimDecider, stream, claiming, ({ state, now }) =>
      this.decide(state, request, now),
    );
  }

  /** Releases a name whose object was not created, so that it can be used again at once. */
  async release(context: TenantContext, request: ClaimRequest): Promise<void> {
    const { owner, findOwnerState } = request;
    const digest = this.digest(request.kind, request.externalId);
    const seed = `${context.commandId} released ${digest}`;
    const releasing = createReservationContext(context, seed);
    const stream = streams.claim(context.scope, digest);
    const release: Decide<Claim, ClaimFact> = async ({ state }) =>
      state?.owner !== owner || (await findOwnerState(owner)) === 'exists'
        ? []
        : [{ type: 'claim.released', data: { owner } }];
    await this.aggregates.run(claimDecider, stream, releasing, release);
  }

  /** Returns the owner of a name, or null. */
  async findOwner(
    scope: Scope,
    { kind, externalId }: Pick<ClaimRequest, 'kind' | 'externalId'>,
  ): Promise<string | null> {
    const stream = streams.claim(scope, this.digest(kind, externalId));
    const { state } = await this.aggregates.load(claimDecider, stream);
    return state?.owner ?? null;
  }

  private digest(kind: ClaimRequest['kind'], externalId: string): string {
    return this.masterKey.digest(`${kind} ${externalId}`).toString('hex');
  }

  private async decide(claim: Claim, request: ClaimRequest, now: Instant): Promise<ClaimFact[]> {
    if (claim?.owner === request.owner) return [];
    if (claim !== null && (await this.isTaken(claim, request, now))) throw inUseError(request.kind);
    return [{ type: 'claim.made', data: { owner: request.owner } }];
  }

  private async isTaken(
    claim: NonNullable<Claim>,
    { findOwnerState }: ClaimRequest,
    now: Instant,
  ): Promise<boolean> {
    const owner = await findOwnerState(claim.owner);
    return (
      owner === 'exists' || (owner === 'absent' && msBetween(claim.at, now) < UNCONFIRMED_CLAIM_MS)
    );
  }
}

const inUseError = (kind: ClaimRequest['kind']): DomainError =>
  new DomainError('external_id_in_use', `Another ${kind} has this external_id.`, {
    param: 'external_id',
  });
