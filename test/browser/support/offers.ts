import type { Page } from 'playwright-core';
import { Receiver } from '../../support/receiver';
import type { Service, TestTenant } from '../../support/service';
import { fillTenant, type Stage } from './stage';
import type { Operation } from '../../../packages/console/src/rights';

/** The stage, and objects in the states in which further operations are offered. */
export interface OfferStage extends Stage {
  /** A receiver that never answers. */
  readonly silent: Receiver;
  readonly payingId: string;
  readonly pausedId: string;
  readonly leavingId: string;
  readonly cancelledId: string;
  readonly deletedId: string;
  readonly draftMotionId: string;
  readonly resolvedTicketId: string;
  readonly runningReplayId: string;
}

/** The tenants that the operator's pages are opened with. */
export interface OperatorStage {
  readonly tenantId: string;
  readonly suspendedId: string;
}

/** One operation, and the element by which a page offers it. */
export interface Offer<Ids> {
  readonly operation: Operation;
  readonly path: (ids: Ids) => string;
  readonly role: 'button' | 'link' | 'combobox' | 'heading';
  readonly name: string | RegExp;
  /** Opens the menu in which the element stands, where the page has it. */
  readonly open?: (page: Page) => Promise<void>;
}

const openActions = async (page: Page): Promise<void> => {
  const actions = page.getByRole('button', { name: 'Actions', exact: true });
  if ((await actions.count()) > 0) await actions.click();
};

const offer = <Ids>(
  operation: Operation,
  path: Offer<Ids>['path'] | string,
  name: string | RegExp,
  role: Offer<Ids>['role'] = 'button',
): Offer<Ids> => ({
  operation,
  path: typeof path === 'string' ? () => path : path,
  role,
  name,
});

/** An offer of the menu on the page of a subscriber. */
const inMenu = (
  operation: Operation,
  id: Exclude<keyof OfferStage, 'receiver' | 'silent'>,
  name: string,
): Offer<OfferStage> => ({
  ...offer(operation, (stage) => `/subscribers/${stage[id]}`, name),
  open: openActions,
});

const findSettings = ({ destinationId }: OfferStage): string =>
  `/destinations/${destinationId}?tab=settings`;

const findDelivery = ({ failedEventId, failingId }: OfferStage): string =>
  `/deliveries?delivery=${failedEventId}.${failingId}`;

/** Each operation by which a member changes something. */
export const TENANT_OFFERS: readonly Offer<OfferStage>[] = [
  offer('replays.cancel', ({ runningReplayId: id }) => `/replays/${id}`, 'Cancel …'),
  offer('cohorts.create', '/cohorts', 'New cohort', 'link'),
  offer('cohorts.update', ({ cohortId }) => `/cohorts/${cohortId}`, 'Save'),
  offer('cohorts.delete', ({ cohortId }) => `/cohorts/${cohortId}`, 'Delete …'),
  offer('console.apiKeys.create', '/api-keys', 'New key'),
  offer('console.apiKeys.rotate', '/api-keys', 'Rotate tests'),
  offer('console.apiKeys.revoke', '/api-keys', 'Revoke tests'),
  offer('console.invitations.create', '/settings', 'Invite'),
  offer('console.invitations.revoke', '/settings', /^Withdraw the invitation/),
  offer('console.members.update', '/settings', 'Role of Grace', 'combobox'),
  offer('console.settings.update', '/settings?tab=settings', 'Save'),
  offer('console.sessions.end', '/settings?tab=sessions', 'End'),
  inMenu('credits.grant', 'subscriberId', 'Grant a credit …'),
  offer('deliveries.retry', findDelivery, 'Try once now'),
  offer('destinations.create', '/destinations', 'New destination', 'link'),
  offer('destinations.update', findSettings, 'Save'),
  offer('destinations.delete', findSettings, 'Delete …'),
  offer('destinations.rotateSecret', findSettings, 'Rotate …'),
  offer('destinations.test', findSettings, 'Send test'),
  offer(
    'destinations.restore',
    ({ deletedId: id }) => `/destinations/${id}?tab=settings`,
    'Restore',
  ),
  offer('motions.create', '/motions', 'New motion', 'link'),
  offer('motions.activate', ({ draftMotionId: id }) => `/motions/${id}`, 'Activate'),
  offer('motions.pause', ({ motionId }) => `/motions/${motionId}`, 'Pause'),
  inMenu('motions.trigger', 'subscriberId', 'Trigger a motion …'),
  offer('refunds.create', ({ subscriberId: id }) => `/subscribers/${id}?tab=payments`, 'Refund'),
  offer('replays.create', '/replays', 'New replay', 'link'),
  inMenu('subscribers.erase', 'payingId', 'Erase …'),
  inMenu('subscriptions.pause', 'payingId', 'Pause …'),
  inMenu('subscriptions.changePlan', 'payingId', 'Change plan …'),
  inMenu('subscriptions.cancel', 'payingId', 'Cancel …'),
  inMenu('subscriptions.resume', 'pausedId', 'Resume'),
  inMenu('subscriptions.uncancel', 'leavingId', 'Keep (undo the cancellation)'),
  inMenu('subscriptions.reactivate', 'cancelledId', 'Reactivate …'),
  offer('testHelpers.createEvent', '/catalogue', 'Send one in test'),
  offer('tickets.resolve', ({ ticketId }) => `/tickets/${ticketId}`, 'Resolve …'),
  offer('tickets.close', ({ ticketId }) => `/tickets/${ticketId}`, 'Close …'),
  offer('tickets.reopen', ({ resolvedTicketId: id }) => `/tickets/${id}`, 'Reopen'),
];

/** Each operation by which an operator changes something. The paths begin below `/console/operator`. */
export const OPERATOR_OFFERS: readonly Offer<OperatorStage>[] = [
  offer('operator.tenants.create', '/tenants', 'New tenant'),
  offer('operator.tenants.suspend', ({ tenantId }) => `/tenants/${tenantId}`, 'Suspend …'),
  offer('operator.tenants.delete', ({ tenantId }) => `/tenants/${tenantId}`, 'Delete …'),
  offer('operator.apiKeys.create', ({ tenantId }) => `/tenants/${tenantId}`, 'New key'),
  offer('operator.apiKeys.revoke', ({ tenantId }) => `/tenants/${tenantId}`, 'Revoke tests'),
  offer(
    'operator.consoleLinks.create',
    ({ tenantId }) => `/tenants/${tenantId}`,
    'Open its dashboard …',
  ),
  offer('operator.tenants.resume', ({ suspendedId: id }) => `/tenants/${id}`, 'Resume'),
  offer('operator.analysts.create', '/analysts', 'New analyst'),
  offer('operator.rebuilds.create', '/jobs', 'Compare only'),
  offer('operator.projections.verify', '/jobs', 'Verify 100 subscribers'),
  offer('operator.store.scavenge', '', 'Scavenge'),
  offer('operator.store.backup', '', 'Back up …'),
  offer('operator.sessions.end', '/sessions', 'End'),
];

type Json = Record<string, unknown>;

/** Fills a tenant so that each operation of the table above is offered to an owner somewhere. */
export const fillForOffers = async (service: Service, tenant: TestTenant): Promise<OfferStage> => {
  const { api } = tenant;
  const create = async (path: string, body: unknown = {}): Promise<Json> => {
    const answer = await api.post(path, body);
    return answer.expect(answer.status < 300 ? answer.status : 201);
  };
  const stage = await fillTenant(tenant, 20);
  const makePaying = async (email: string): Promise<[id: string, subscription: string]> => {
    const id = String((await create('/v1/subscribers', { email }))['id']);
    const body = { subscriber_id: id, plan: 'digital', payment_method: 'pm_test_ok' };
    return [id, String((await create('/v1/subscriptions', body))['id'])];
  };
  const [payingId] = await makePaying('paying@example.com');
  const [pausedId, paused] = await makePaying('paused@example.com');
  await create(`/v1/subscriptions/${paused}/pause`, { effective: 'immediately' });
  const [leavingId, leaving] = await makePaying('leaving@example.com');
  await create(`/v1/subscriptions/${leaving}/cancel`, { effective: 'period_end' });
  const [cancelledId, cancelled] = await makePaying('cancelled@example.com');
  await create(`/v1/subscriptions/${cancelled}/cancel`, { effective: 'immediately' });
  const webhook = { type: 'https_webhook', url: stage.receiver.url };
  const deletedId = String((await create('/v1/destinations', webhook))['id']);
  (await api.delete(`/v1/destinations/${deletedId}`)).expect(200);
  const draft = { name: 'Draft', kind: 'announcement' };
  const draftMotionId = String((await create('/v1/motions', draft))['id']);
  const ticket = { subscriber_id: payingId, topic: 'other', subject: 'Solved' };
  const resolvedTicketId = String((await create('/v1/tickets', ticket))['id']);
  await create(`/v1/tickets/${resolvedTicketId}/resolve`);
  await makeTeam(service, tenant);
  const silent = await Receiver.start(() => undefined);
  return {
    ...stage,
    silent,
    ...{ payingId, pausedId, leavingId, cancelledId, deletedId, draftMotionId, resolvedTicketId },
    runningReplayId: await startEndlessReplay(create, silent),
  };
};

/** A replay to a receiver that never answers. */
const startEndlessReplay = async (
  create: (path: string, body?: unknown) => Promise<Json>,
  silent: Receiver,
): Promise<string> => {
  const body = { type: 'https_webhook', url: silent.url, description: 'Silent' };
  const { id } = await create('/v1/destinations', body);
  const replay = await create('/v1/replay', {
    destination_id: id,
    from: new Date(Date.now() - 86_400_000).toISOString(),
    to: new Date().toISOString(),
    dedupe_strategy: 'force_redeliver',
  });
  return String(replay['replay_id']);
};

/** A member named Grace, and an open invitation. */
const makeTeam = async (service: Service, { id }: TestTenant): Promise<void> => {
  const owner = await service.signedIn({ tenant_id: id, role: 'owner' });
  const invite = async (email: string): Promise<string> => {
    const { link } = (await owner.post('/console/v1/invitations', { email, role: 'viewer' }))
      .created;
    return new URL(String(link)).hash.slice(1);
  };
  await invite('invited@example.com');
  const token = await invite('grace@example.com');
  const body = { token, name: 'Grace', password: 'a long enough password' };
  (await service.browser.post('/console/v1/invitations/accept', body)).expect(200);
};
