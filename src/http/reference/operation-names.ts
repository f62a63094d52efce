import { capitalise } from '../../kernel/text';

/**
 * The name and the title of each operation, in one place and one style. A name reads as a method of a
 * client (`service.subscribers.create`); the SDK is made from it. A title begins with a verb.
 */
type Names = Readonly<Record<string, readonly [name: string, title: string]>>;

const PEOPLE: Names = {
  'POST /v1/subscribers': ['subscribers.create', 'Create a subscriber'],
  'GET /v1/subscribers': ['subscribers.list', 'List subscribers'],
  'GET /v1/subscribers/{subscriberId}': ['subscribers.get', 'Get a subscriber'],
  'PATCH /v1/subscribers/{subscriberId}': ['subscribers.update', 'Update a subscriber'],
  'DELETE /v1/subscribers/{subscriberId}': ['subscribers.erase', 'Erase a subscriber'],
  'PUT /v1/subscribers/{subscriberId}/engagement_score': [
    'subscribers.setEngagementScore',
    'Set the engagement score of a subscriber',
  ],
  'GET /v1/subscribers/{subscriberId}/timeline': [
    'subscribers.timeline',
    'List what happened to a subscriber',
  ],
  'GET /v1/subscribers/{subscriberId}/events': [
    'subscribers.listEvents',
    'List the events of a subscriber',
  ],
  'POST /v1/subscriptions': ['subscriptions.create', 'Create a subscription'],
  'GET /v1/subscriptions': ['subscriptions.list', 'List subscriptions'],
  'GET /v1/subscriptions/{subscriptionId}': ['subscriptions.get', 'Get a subscription'],
  'POST /v1/subscriptions/{subscriptionId}/pause': ['subscriptions.pause', 'Pause a subscription'],
  'POST /v1/subscriptions/{subscriptionId}/resume': [
    'subscriptions.resume',
    'Resume a subscription',
  ],
  'POST /v1/subscriptions/{subscriptionId}/cancel': [
    'subscriptions.cancel',
    'Cancel a subscription',
  ],
  'POST /v1/subscriptions/{subscriptionId}/uncancel': [
    'subscriptions.uncancel',
    'Undo a scheduled cancellation',
  ],
  'POST /v1/subscriptions/{subscriptionId}/reactivate': [
    'subscriptions.reactivate',
    'Reactivate a subscription',
  ],
  'POST /v1/subscriptions/{subscriptionId}/plan': [
    'subscriptions.changePlan',
    'Change the plan of a subscription',
  ],
  'POST /v1/subscriptions/{subscriptionId}/plan/preview': [
    'subscriptions.previewPlanChange',
    'Preview a plan change',
  ],
  'PUT /v1/subscriptions/{subscriptionId}/payment_method': [
    'subscriptions.setPaymentMethod',
    'Set the payment method of a subscription',
  ],
  'PUT /v1/plans/{planId}': ['plans.save', 'Create or change a plan'],
  'GET /v1/plans': ['plans.list', 'List plans'],
  'GET /v1/plans/{planId}': ['plans.get', 'Get a plan'],
  'POST /v1/tickets': ['tickets.create', 'Create a ticket'],
  'GET /v1/tickets': ['tickets.list', 'List tickets'],
  'GET /v1/tickets/{ticketId}': ['tickets.get', 'Get a ticket'],
  'PATCH /v1/tickets/{ticketId}': ['tickets.update', 'Update a ticket'],
  'POST /v1/tickets/{ticketId}/resolve': ['tickets.resolve', 'Resolve a ticket'],
  'POST /v1/tickets/{ticketId}/reopen': ['tickets.reopen', 'Reopen a ticket'],
  'POST /v1/tickets/{ticketId}/close': ['tickets.close', 'Close a ticket'],
};

const MONEY: Names = {
  'GET /v1/payments': ['payments.list', 'List payments'],
  'GET /v1/payments/{paymentId}': ['payments.get', 'Get a payment'],
  'GET /v1/payments/{paymentId}/attempts': [
    'payments.listAttempts',
    'List the attempts of a payment',
  ],
  'POST /v1/payments/{paymentId}/attempts': [
    'payments.reportAttempt',
    'Report an attempt of your payment provider',
  ],
  'POST /v1/payments/{paymentId}/retry': ['payments.retry', 'Retry a payment'],
  'POST /v1/payments/{paymentId}/disputes': ['payments.reportDispute', 'Report a dispute'],
  'POST /v1/payments/{paymentId}/refunds': ['refunds.create', 'Refund a payment'],
  'GET /v1/refunds': ['refunds.list', 'List refunds'],
  'GET /v1/refunds/{refundId}': ['refunds.get', 'Get a refund'],
  'POST /v1/refunds/{refundId}/outcome': [
    'refunds.reportOutcome',
    'Report the outcome of a refund',
  ],
  'POST /v1/subscribers/{subscriberId}/credits': ['credits.grant', 'Grant a credit'],
  'GET /v1/subscribers/{subscriberId}/credits': [
    'credits.list',
    'List the credits of a subscriber',
  ],
  'GET /v1/credits/{creditId}': ['credits.get', 'Get a credit'],
  'GET /v1/credits/{creditId}/transactions': [
    'credits.listTransactions',
    'List the transactions of a credit',
  ],
  'POST /v1/credits/{creditId}/void': ['credits.void', 'Void a credit'],
};

const TARGETS: Names = {
  'POST /v1/cohorts': ['cohorts.create', 'Create a cohort'],
  'POST /v1/cohorts/preview': ['cohorts.preview', 'Preview a cohort'],
  'GET /v1/cohorts': ['cohorts.list', 'List cohorts'],
  'GET /v1/cohorts/{cohortId}': ['cohorts.get', 'Get a cohort'],
  'PATCH /v1/cohorts/{cohortId}': ['cohorts.update', 'Update a cohort'],
  'DELETE /v1/cohorts/{cohortId}': ['cohorts.delete', 'Delete a cohort'],
  'GET /v1/cohorts/{cohortId}/members': ['cohorts.listMembers', 'List the members of a cohort'],
  'POST /v1/motions': ['motions.create', 'Create a motion'],
  'GET /v1/motions': ['motions.list', 'List motions'],
  'GET /v1/motions/{motionId}': ['motions.get', 'Get a motion'],
  'PATCH /v1/motions/{motionId}': ['motions.update', 'Update a motion'],
  'DELETE /v1/motions/{motionId}': ['motions.delete', 'Delete a motion'],
  'POST /v1/motions/{motionId}/activate': ['motions.activate', 'Activate a motion'],
  'POST /v1/motions/{motionId}/pause': ['motions.pause', 'Pause a motion'],
  'POST /v1/motions/{motionId}/archive': ['motions.archive', 'Archive a motion'],
  'POST /v1/motions/{motionId}/trigger': ['motions.trigger', 'Trigger a motion'],
  'GET /v1/motions/{motionId}/runs': ['motions.listRuns', 'List the runs of a motion'],
  'GET /v1/motions/{motionId}/performance': [
    'motions.performance',
    'Get the performance of a motion',
  ],
  'GET /v1/motion_runs/{runId}': ['motionRuns.get', 'Get a motion run'],
  'POST /v1/motion_runs/{runId}/outcome': [
    'motionRuns.reportOutcome',
    'Report the outcome of a motion run',
  ],
  'GET /v1/metrics': ['metrics.list', 'List metrics'],
  'GET /v1/metrics/plans': ['metrics.listPlans', 'List the plans of metrics'],
  'GET /v1/metrics/recovery': ['metrics.recovery', 'Get the recovery of failed payments'],
  'GET /v1/metrics/retention': ['metrics.retention', 'Get the retention by month'],
  'GET /v1/metrics/{metric}': ['metrics.get', 'Get a metric'],
  'GET /v1/metrics/{metric}/definition': ['metrics.definition', 'Get the definition of a metric'],
};

const DELIVERY: Names = {
  'GET /v1/events': ['events.list', 'List events'],
  'GET /v1/events/counts': ['events.counts', 'Count events'],
  'GET /v1/search': ['search.find', 'Find an object by its id'],
  'GET /v1/events/{eventId}': ['events.get', 'Get an event'],
  'GET /v1/events/{eventId}/deliveries': [
    'events.listDeliveries',
    'List the deliveries of an event',
  ],
  'GET /v1/event_types': ['eventTypes.list', 'List event types'],
  'GET /v1/event_types/{eventType}': ['eventTypes.get', 'Get an event type'],
  'GET /v1/schema_versions': ['eventTypes.listVersions', 'List schema versions'],
  'POST /v1/destinations': ['destinations.create', 'Create a destination'],
  'GET /v1/destinations': ['destinations.list', 'List destinations'],
  'GET /v1/destinations/{destinationId}': ['destinations.get', 'Get a destination'],
  'PATCH /v1/destinations/{destinationId}': ['destinations.update', 'Update a destination'],
  'DELETE /v1/destinations/{destinationId}': ['destinations.delete', 'Delete a destination'],
  'POST /v1/destinations/{destinationId}/rotate-secret': [
    'destinations.rotateSecret',
    'Rotate the signing secret of a destination',
  ],
  'POST /v1/destinations/{destinationId}/restore': [
    'destinations.restore',
    'Restore a deleted destination',
  ],
  'POST /v1/destinations/{destinationId}/test': [
    'destinations.test',
    'Send a test event to a destination',
  ],
  'POST /v1/destinations/{destinationId}/preview': ['destinations.preview', 'Preview a delivery'],
  'GET /v1/destinations/{destinationId}/deliveries': [
    'deliveries.list',
    'List the deliveries of a destination',
  ],
  'GET /v1/destinations/{destinationId}/deliveries/{eventId}': ['deliveries.get', 'Get a delivery'],
  'POST /v1/destinations/{destinationId}/deliveries/{eventId}/retry': [
    'deliveries.retry',
    'Retry a delivery',
  ],
  'GET /v1/deliveries': ['deliveries.listAll', 'List the deliveries to all destinations'],
  'GET /v1/destinations/health': ['destinations.listHealth', 'List the health of destinations'],
  'GET /v1/operational_events': ['operationalEvents.list', 'List operational events'],
  'POST /v1/replay': ['replays.create', 'Create a replay'],
  'GET /v1/replay': ['replays.list', 'List replays'],
  'GET /v1/replay/{replay_id}': ['replays.get', 'Get a replay'],
  'DELETE /v1/replay/{replay_id}': ['replays.cancel', 'Cancel a replay'],
  'GET /v1/replay/{replay_id}/failures': ['replays.listFailures', 'List the failures of a replay'],
  'POST /v1/imports': ['imports.create', 'Create an import'],
  'GET /v1/imports': ['imports.list', 'List imports'],
  'GET /v1/imports/{importId}': ['imports.get', 'Get an import'],
  'GET /v1/imports/{importId}/errors': ['imports.listErrors', 'List the errors of an import'],
  'GET /v1/audit_log': ['auditLog.list', 'List the audit log'],
};

const TESTING: Names = {
  'POST /v1/test_helpers/clocks': ['testClocks.create', 'Create a test clock'],
  'GET /v1/test_helpers/clocks': ['testClocks.list', 'List test clocks'],
  'GET /v1/test_helpers/clocks/{clockId}': ['testClocks.get', 'Get a test clock'],
  'DELETE /v1/test_helpers/clocks/{clockId}': ['testClocks.delete', 'Delete a test clock'],
  'POST /v1/test_helpers/clocks/{clockId}/advance': ['testClocks.advance', 'Advance a test clock'],
  'GET /v1/test_helpers/outbox': ['testHelpers.listOutbox', 'List e-mails of the test environment'],
  'POST /v1/test_helpers/seed': ['testHelpers.seed', 'Create many test subscribers'],
  'POST /v1/test_helpers/events': ['testHelpers.createEvent', 'Create a test event'],
  'POST /v1/test_helpers/scenarios/{name}': ['testHelpers.playScenario', 'Play a test scenario'],
};

const OPERATOR: Names = {
  'POST /operator/v1/tenants': ['operator.tenants.create', 'Create a tenant'],
  'GET /operator/v1/tenants': ['operator.tenants.list', 'List tenants'],
  'GET /operator/v1/tenants/{tenantId}': ['operator.tenants.get', 'Get a tenant'],
  'PATCH /operator/v1/tenants/{tenantId}': ['operator.tenants.update', 'Update a tenant'],
  'POST /operator/v1/tenants/{tenantId}/api-keys': [
    'operator.apiKeys.create',
    'Create an API key of a tenant',
  ],
  'GET /operator/v1/tenants/{tenantId}/api-keys': [
    'operator.apiKeys.list',
    'List the API keys of a tenant',
  ],
  'POST /operator/v1/tenants/{tenantId}/api-keys/{keyId}/rotate': [
    'operator.apiKeys.rotate',
    'Rotate an API key',
  ],
  'DELETE /operator/v1/tenants/{tenantId}/api-keys/{keyId}': [
    'operator.apiKeys.revoke',
    'Revoke an API key',
  ],
  'PATCH /operator/v1/tenants/{tenantId}/api-keys/{keyId}': [
    'operator.apiKeys.update',
    'Change an API key',
  ],
  'DELETE /operator/v1/tenants/{tenantId}': ['operator.tenants.delete', 'Delete a tenant'],
  'POST /operator/v1/tenants/{tenantId}/suspend': ['operator.tenants.suspend', 'Suspend a tenant'],
  'POST /operator/v1/tenants/{tenantId}/resume': ['operator.tenants.resume', 'Resume a tenant'],
  'GET /operator/v1/overview': ['operator.overview.get', 'Get an overview of the installation'],
  'GET /operator/v1/usage': ['operator.usage.list', 'List the usage of tenants'],
  'GET /operator/v1/unprojected_events': [
    'operator.unprojectedEvents.list',
    'List events that are missing in the read models',
  ],
  'GET /operator/v1/replays': ['operator.replays.list', 'List the replays of all tenants'],
  'GET /operator/v1/imports': ['operator.imports.list', 'List the imports of all tenants'],
  'GET /operator/v1/search': ['operator.search.find', 'Find an object of any tenant'],
  'GET /operator/v1/analysts': ['operator.analysts.list', 'List database roles of analysts'],
  'GET /operator/v1/failing_destinations': [
    'operator.failingDestinations.list',
    'List failing destinations of all tenants',
  ],
  'POST /operator/v1/analysts': ['operator.analysts.create', 'Create a database role for analysts'],
  'GET /operator/v1/exports': ['operator.exports.get', 'Export a table for analysis'],
  'POST /operator/v1/projections/verify': ['operator.projections.verify', 'Verify read models'],
  'GET /operator/v1/sessions': ['operator.sessions.list', 'List the sessions of operators'],
  'DELETE /operator/v1/sessions/{sessionId}': [
    'operator.sessions.end',
    'End a session of an operator',
  ],
  'GET /operator/v1/operator_tokens': ['operator.tokens.list', 'List operator tokens'],
  'POST /operator/v1/operator_tokens': ['operator.tokens.create', 'Create an operator token'],
  'POST /operator/v1/operator_tokens/{tokenId}/rotate': [
    'operator.tokens.rotate',
    'Rotate an operator token',
  ],
  'DELETE /operator/v1/operator_tokens/{tokenId}': [
    'operator.tokens.revoke',
    'Revoke an operator token',
  ],
  'GET /operator/v1/master_key': ['operator.masterKey.get', 'Get the master key state'],
  'POST /operator/v1/master_key/rotate': ['operator.masterKey.rotate', 'Rotate the master key'],
  'POST /operator/v1/rebuilds': ['operator.rebuilds.create', 'Rebuild read models'],
  'GET /operator/v1/rebuilds': ['operator.rebuilds.list', 'List rebuilds'],
  'GET /operator/v1/rebuilds/{rebuildId}': ['operator.rebuilds.get', 'Get a rebuild'],
  'GET /operator/v1/store': ['operator.store.get', 'Get the latest maintenance of the event store'],
  'POST /operator/v1/store/scavenge': ['operator.store.scavenge', 'Scavenge the event store'],
  'POST /operator/v1/store/backup': ['operator.store.backup', 'Back up the embedded event store'],
  'GET /operator/v1/store/backup': ['operator.store.getBackup', 'Get the latest backup'],
  'POST /operator/v1/store/compact': ['operator.store.compact', 'Compact the embedded event store'],
  'GET /operator/v1/erasures/{subscriberId}': ['operator.erasures.verify', 'Verify an erasure'],
  'POST /operator/v1/local_listeners': ['operator.localListeners.admit', 'Admit a local listener'],
  'GET /operator/v1/audit_log': ['operator.auditLog.list', 'List the audit log of all tenants'],
};

const CONSOLE: Names = {
  'GET /console/v1/sign_in_options': ['console.signInOptions', 'Get the ways to sign in'],
  'GET /console/v1/oidc/start': ['console.oidc.start', 'Sign in with the identity provider'],
  'GET /console/v1/oidc/callback': [
    'console.oidc.finish',
    'Complete a sign-in with the identity provider',
  ],
  'GET /console/v1/session': ['console.session.get', 'Get the session'],
  'POST /console/v1/session': ['console.session.create', 'Sign in with a password'],
  'POST /console/v1/session/link': ['console.session.spendLink', 'Sign in with a one-time link'],
  'DELETE /console/v1/session': ['console.session.end', 'Sign out'],
  'POST /console/v1/password': ['console.password.set', 'Set the password'],
  'GET /console/v1/members': ['console.members.list', 'List members'],
  'PATCH /console/v1/members/{memberId}': ['console.members.update', 'Change the role of a member'],
  'DELETE /console/v1/members/{memberId}': ['console.members.remove', 'Remove a member'],
  'GET /console/v1/invitations': ['console.invitations.list', 'List open invitations'],
  'POST /console/v1/invitations': ['console.invitations.create', 'Invite a person'],
  'DELETE /console/v1/invitations/{invitationId}': [
    'console.invitations.revoke',
    'Revoke an invitation',
  ],
  'POST /console/v1/invitations/lookup': ['console.invitations.lookUp', 'Look up an invitation'],
  'POST /console/v1/invitations/accept': ['console.invitations.accept', 'Accept an invitation'],
  'GET /console/v1/sessions': ['console.sessions.list', 'List sessions'],
  'DELETE /console/v1/sessions/{sessionId}': ['console.sessions.end', 'End a session'],
  'GET /console/v1/api_keys': ['console.apiKeys.list', 'List the API keys of the tenant'],
  'POST /console/v1/api_keys': ['console.apiKeys.create', 'Create an API key'],
  'POST /console/v1/api_keys/{keyId}/rotate': [
    'console.apiKeys.rotate',
    'Rotate an API key of the tenant',
  ],
  'PATCH /console/v1/api_keys/{keyId}': [
    'console.apiKeys.update',
    'Change an API key of the tenant',
  ],
  'DELETE /console/v1/api_keys/{keyId}': [
    'console.apiKeys.revoke',
    'Revoke an API key of the tenant',
  ],
  'GET /console/v1/settings': ['console.settings.get', 'Get the settings of the tenant'],
  'PATCH /console/v1/settings': ['console.settings.update', 'Change the settings of the tenant'],
  'POST /operator/v1/console_links': ['operator.consoleLinks.create', 'Make a one-time link'],
  'POST /operator/v1/tenants/{tenantId}/dashboard_links': [
    'operator.dashboardLinks.create',
    'Make a link to the dashboard of a tenant',
  ],
};

const NAMES: Names = {
  ...PEOPLE,
  ...MONEY,
  ...TARGETS,
  ...DELIVERY,
  ...TESTING,
  ...OPERATOR,
  ...CONSOLE,
};

/**
 * Operations of operators on the destinations of a tenant have the names of the tenant's own
 * operations, after `operator.`.
 */
const ofTenant = '/operator/v1/tenants/{tenantId}/destinations';

interface Named {
  readonly name: string;
  readonly title: string;
}

/**
 * Returns the name and title of an operation. If the table has none, they are made from its path
 * and method.
 */
export const createOperationName = (method: string, path: string): Named => {
  const known = NAMES[`${method.toUpperCase()} ${path}`];
  if (known !== undefined) return { name: known[0], title: known[1] };
  if (path.startsWith(ofTenant)) {
    const own = createOperationName(method, `/v1/destinations${path.slice(ofTenant.length)}`);
    return { name: `operator.${own.name}`, title: `${own.title} of a tenant` };
  }
  return deriveName(method, path);
};

const VERBS: Readonly<Record<string, string>> = {
  get: 'get',
  post: 'create',
  put: 'save',
  patch: 'update',
  delete: 'delete',
};

const deriveName = (method: string, path: string): Named => {
  const words = path
    .split('/')
    .filter((part) => part !== '' && part !== 'v1' && !part.startsWith('{'));
  const group = words.map(toCamelCase).join('.');
  const isList = method === 'get' && !path.endsWith('}');
  const verb = isList ? 'list' : (VERBS[method] ?? method);
  const subject = words.join(' ').replaceAll(/[_-]/g, ' ');
  return {
    name: `${group}.${verb}`,
    title: `${capitalise(verb)} ${subject}`,
  };
};

const toCamelCase = (text: string): string =>
  text.replaceAll(/[_-](\w)/g, (_, letter: string) => letter.toUpperCase());

/** True if the table contains the operation. */
export const isNamed = (method: string, path: string): boolean =>
  `${method.toUpperCase()} ${path}` in NAMES || path.startsWith(ofTenant);
