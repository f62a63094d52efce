import type { TestTenant } from '../../support/service';
import type { Stage } from './stage';

/** The pages of a tenant by name; what each shows is looked up by ids of the stage. */
export const TENANT_PAGES: readonly (readonly [name: string, path: (stage: Stage) => string])[] = [
  ['home', () => ''],
  ['destinations', () => '/destinations'],
  ['new-destination', () => '/destinations/new'],
  ['destination', ({ destinationId }) => `/destinations/${destinationId}`],
  ['deliveries', ({ failingId }) => `/destinations/${failingId}?tab=deliveries`],
  ['destination-settings', ({ destinationId }) => `/destinations/${destinationId}?tab=settings`],
  ['all-deliveries', () => '/deliveries'],
  ['delivery', (stage) => `/deliveries?delivery=${stage.failedEventId}.${stage.failingId}`],
  ['events', () => '/events'],
  ['event', ({ eventId }) => `/events/${eventId}`],
  ['catalogue', () => '/catalogue'],
  ['replays', () => '/replays'],
  ['new-replay', () => '/replays/new'],
  ['replay', ({ replayId }) => `/replays/${replayId}`],
  ['subscribers', () => '/subscribers'],
  ['subscriber', ({ subscriberId }) => `/subscribers/${subscriberId}`],
  ['subscriber-then', ({ subscriberId }) => `/subscribers/${subscriberId}?tab=history`],
  ['tickets', () => '/tickets'],
  ['ticket', ({ ticketId }) => `/tickets/${ticketId}`],
  ['metrics', () => '/metrics'],
  ['metric', () => '/metrics/mrr'],
  ['cohorts', () => '/cohorts'],
  ['new-cohort', () => '/cohorts/new'],
  ['cohort', ({ cohortId }) => `/cohorts/${cohortId}`],
  ['motions', () => '/motions'],
  ['motion', ({ motionId }) => `/motions/${motionId}`],
  ['new-motion', () => '/motions/new'],
  ['api-keys', () => '/api-keys'],
  ['team', () => '/settings'],
  ['sessions', () => '/settings?tab=sessions'],
  ['settings', () => '/settings?tab=settings'],
  ['audit-log', () => '/settings?tab=audit'],
  ['no-such-page', () => '/nothing'],
];

/** The pages of the operator by name. */
export const OPERATOR_PAGES: readonly (readonly [
  name: string,
  path: (tenant: TestTenant) => string,
])[] = [
  ['operator', () => ''],
  ['tenants', () => '/tenants'],
  ['tenant', ({ id }) => `/tenants/${id}`],
  ['usage', () => '/usage?environment=test'],
  ['analysts', () => '/analysts'],
  ['jobs', () => '/jobs'],
  ['operator-search', () => '/search?q=Acme'],
  ['operator-audit-log', () => '/audit-log'],
  ['operator-sessions', () => '/sessions'],
];

/** A stage with no object on it. */
const NOTHING = {} as Stage;

/** The pages that need no object. */
export const listPages = (): readonly (readonly [name: string, address: string])[] =>
  TENANT_PAGES.map(([name, path]) => [name, path(NOTHING)] as const).filter(
    ([, address]) => !/undefined|_/.test(address),
  );
