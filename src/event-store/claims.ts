import { hash } from 'node:crypto';
import type { Decider, Fact } from '../kernel/decider';
import { DomainError } from '../kernel/errors';
import type { Scope, TenantContext } from '../kernel/scope';
import { type Instant, msBetween } from '../kernel/time';
import type { Aggregates, Decide } from './aggregates';
import type { MasterKey } from './master-key';
import { streams } from './streams';

/** A claim whose owner does not exist yet may belong to a command that is just running. */
const PENDING_CLAIM_MS = 60_000;

type ClaimFact = Fact<'claim.made' | 'claim.released', { owner: string }>;
type Claim = { readonly owner: string; readonly at: Instant } | null;

const claimDecider: Decider<Claim, ClaimFact> = {
  initialState: () => null,
  evolve: (_, { type, data, at }) => (type === 'claim.made' ? { owner: data.owner, at } : null),
};

export interface ClaimRequest {
  readonly kind: 'plan' | 'subscription';
  /** What the tenant calls the object: unique per tenant and environment (D-07). */
  readonly externalId: string;
  readonly owner: string;
  /** Whether an earlier owner still has the name; a claim outlives a command that was cut off. */
  readonly isHeldBy: (owner: string) => Promise<boolean>;
}

/** Names that must be unique, each a small stream: the first append wins, in every process. */
export class Claims {
  constructor(
    private readonly aggregates: Aggregates,
    private readonly masterKey: MasterKey,
  ) {}

  async claim(context: TenantContext, request: ClaimRequest): Promise<void> {
    const digest = this.digest(request.kind, request.externalId);
    const stream = streams.claim(context.scope, digest);
    // `If-Match` is about the object, not about its name.
    const { expectedSequence: _, ...unconditional } = context;
    const claiming = { ...unconditional, resumed: false, commandId: claimId(context, digest) };
    await this.aggregates.run(claimDecider, stream, claiming, ({ state, now }) =>
      this.decide(state, request, now),
    );
  }

  /** Gives back a name whose object did not come to be: it need not wait until it is forgotten. */
  async release(context: TenantContext, request: ClaimRequest): Promise<void> {
    const { owner, isHeldBy } = request;
    const digest = this.digest(request.kind, request.externalId);
    const { expectedSequence: _, ...unconditional } = context;
    const commandId = claimId(context, `released ${digest}`);
    const releasing = { ...unconditional, resumed: false, commandId };
    const stream = streams.claim(context.scope, digest);
    const release: Decide<Claim, ClaimFact> = async ({ state }) =>
      state?.owner !== owner || (await isHeldBy(owner))
        ? []
        : [{ type: 'claim.released', data: { owner } }];
    await this.aggregates.run(claimDecider, stream, releasing, release);
  }

  /** Who has the name, or null. */
  async ownerOf(
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
    if (claim !== null && (await this.isTaken(claim, request, now))) throw inUse();
    return [{ type: 'claim.made', data: { owner: request.owner } }];
  }

  private async isTaken(
    claim: NonNullable<Claim>,
    { isHeldBy }: ClaimRequest,
    now: Instant,
  ): Promise<boolean> {
    return msBetween(claim.at, now) < PENDING_CLAIM_MS || (await isHeldBy(claim.owner));
  }
}

const claimId = ({ commandId }: TenantContext, digest: string): string =>
  hash('sha256', `${commandId} ${digest}`).slice(0, 32);

const inUse = (): DomainError =>
  new DomainError('external_id_in_use', 'Another object has this external_id.', {
    param: 'external_id',
  });
