/**
 * The table of the operations that the console calls, with their rights. It imports nothing, so
 * that a test can compare it with the OpenAPI document.
 */

/** The roles that have a right of the console. The session contains the scopes of a role. */
export const MEMBER_RIGHTS: Readonly<Record<string, readonly string[]>> = {
  tenant: ['owner', 'admin', 'developer', 'support', 'analyst', 'viewer'],
  keys: ['owner', 'admin', 'developer'],
  members: ['owner', 'admin'],
  settings: ['owner', 'admin'],
};

/** The operator roles that have a right over all tenants. */
export const OPERATOR_RIGHTS: Readonly<Record<string, readonly string[]>> = {
  'operator:read': ['operator', 'operator_viewer'],
  'operator:write': ['operator'],
};

/**
 * Each operation that the console calls, by its name in the OpenAPI document, with the rights that
 * it needs: scopes of the API, or one right of the two tables above.
 */
export const OPERATIONS = {
  'auditLog.list': 'audit_log:read',
  'cohorts.create': 'cohorts:write',
  'cohorts.delete': 'cohorts:write',
  'cohorts.get': 'cohorts:read',
  'cohorts.list': 'cohorts:read',
  'cohorts.listMembers': 'cohorts:read',
  'cohorts.preview': 'cohorts:read',
  'cohorts.update': 'cohorts:write',
  'console.apiKeys.create': 'keys',
  'console.apiKeys.list': 'keys',
  'console.apiKeys.revoke': 'keys',
  'console.apiKeys.rotate': 'keys',
  'console.invitations.create': 'members',
  'console.invitations.list': 'members',
  'console.invitations.revoke': 'members',
  'console.members.list': 'tenant',
  'console.members.remove': 'tenant',
  'console.members.update': 'members',
  'console.sessions.end': 'tenant',
  'console.sessions.list': 'tenant',
  'console.settings.get': 'tenant',
  'console.settings.update': 'settings',
  'credits.grant': 'credits:write',
  'credits.list': 'credits:read',
  'deliveries.get': 'destinations:read',
  'deliveries.list': 'destinations:read',
  'deliveries.listAll': 'destinations:read',
  'deliveries.retry': 'destinations:write',
  'destinations.create': 'destinations:write',
  'destinations.delete': 'destinations:write',
  'destinations.get': 'destinations:read',
  'destinations.list': 'destinations:read',
  'destinations.listHealth': 'destinations:read',
  'destinations.preview': 'destinations:write',
  'destinations.restore': 'destinations:write',
  'destinations.rotateSecret': 'destinations:write',
  'destinations.test': 'destinations:write',
  'destinations.update': 'destinations:write',
  'eventTypes.list': 'events:read',
  'events.counts': 'events:read',
  'events.get': 'events:read',
  'events.list': 'events:read',
  'events.listDeliveries': 'events:read',
  'metrics.definition': 'metrics:read',
  'metrics.get': 'metrics:read',
  'metrics.listPlans': 'metrics:read',
  'metrics.retention': 'metrics:read',
  'motions.activate': 'motions:write',
  'motions.create': 'motions:write',
  'motions.get': 'motions:read',
  'motions.list': 'motions:read',
  'motions.listRuns': 'motions:read',
  'motions.pause': 'motions:write',
  'motions.performance': 'metrics:read',
  'motions.trigger': 'motions:trigger',
  'operator.analysts.create': 'operator:write',
  'operator.analysts.list': 'operator:read',
  'operator.apiKeys.create': 'operator:write',
  'operator.apiKeys.list': 'operator:read',
  'operator.apiKeys.revoke': 'operator:write',
  'operator.auditLog.list': 'operator:read',
  'operator.consoleLinks.create': 'operator:write',
  'operator.destinations.list': 'operator:read',
  'operator.exports.get': 'operator:read',
  'operator.failingDestinations.list': 'operator:read',
  'operator.imports.list': 'operator:read',
  'operator.overview.get': 'operator:read',
  'operator.projections.verify': 'operator:write',
  'operator.rebuilds.create': 'operator:write',
  'operator.rebuilds.list': 'operator:read',
  'operator.replays.list': 'operator:read',
  'operator.search.find': 'operator:read',
  'operator.sessions.end': 'operator:write',
  'operator.sessions.list': 'operator:read',
  'operator.store.backup': 'operator:write',
  'operator.store.get': 'operator:read',
  'operator.store.getBackup': 'operator:read',
  'operator.store.scavenge': 'operator:write',
  'operator.tenants.create': 'operator:write',
  'operator.tenants.delete': 'operator:write',
  'operator.tenants.get': 'operator:read',
  'operator.tenants.list': 'operator:read',
  'operator.tenants.resume': 'operator:write',
  'operator.tenants.suspend': 'operator:write',
  'operator.unprojectedEvents.list': 'operator:read',
  'operator.usage.list': 'operator:read',
  'payments.list': 'payments:read',
  'plans.list': 'subscriptions:read',
  'refunds.create': 'refunds:write',
  'replays.cancel': 'replay:write events:read',
  'replays.create': 'replay:write events:read',
  'replays.get': 'replay:read',
  'replays.list': 'replay:read',
  'replays.listFailures': 'replay:read',
  'search.find': 'subscribers:read',
  'subscribers.erase': 'subscribers:write',
  'subscribers.get': 'subscribers:read',
  'subscribers.list': 'subscribers:read',
  'subscribers.timeline': 'subscribers:read',
  'subscriptions.cancel': 'subscriptions:write',
  'subscriptions.changePlan': 'subscriptions:write',
  'subscriptions.get': 'subscriptions:read',
  'subscriptions.list': 'subscriptions:read',
  'subscriptions.pause': 'subscriptions:write',
  'subscriptions.previewPlanChange': 'subscriptions:read',
  'subscriptions.reactivate': 'subscriptions:write',
  'subscriptions.resume': 'subscriptions:write',
  'subscriptions.uncancel': 'subscriptions:write',
  'testHelpers.createEvent': 'test_helpers:write',
  'tickets.close': 'tickets:write',
  'tickets.get': 'tickets:read',
  'tickets.list': 'tickets:read',
  'tickets.reopen': 'tickets:write',
  'tickets.resolve': 'tickets:write',
} as const;

export type Operation = keyof typeof OPERATIONS;

interface PageRights {
  readonly title: string;
  /** The operations that a page needs to show anything. */
  readonly needs: readonly Operation[];
}

/**
 * The pages of a tenant, by the part of their address below the tenant. A page is shown to roles
 * that may call its operations.
 */
export const TENANT_PAGES = {
  '': { title: 'Home', needs: [] },
  '/search': { title: 'Search', needs: ['search.find'] },
  '/destinations': { title: 'Destinations', needs: ['destinations.list'] },
  '/destinations/new': { title: 'New destination', needs: ['destinations.create'] },
  '/destinations/:id': { title: 'Destination', needs: ['destinations.get'] },
  '/deliveries': { title: 'Deliveries', needs: ['deliveries.listAll'] },
  '/events': { title: 'Events', needs: ['events.list'] },
  '/events/:id': { title: 'Event', needs: ['events.get'] },
  '/catalogue': { title: 'Event catalogue', needs: ['eventTypes.list'] },
  '/replays': { title: 'Replays', needs: ['replays.list'] },
  '/replays/new': { title: 'New replay', needs: ['replays.create', 'destinations.list'] },
  '/replays/:id': { title: 'Replay', needs: ['replays.get'] },
  '/subscribers': { title: 'Subscribers', needs: ['subscribers.list'] },
  '/subscribers/:id': { title: 'Subscriber', needs: ['subscribers.get', 'subscriptions.list'] },
  '/tickets': { title: 'Tickets', needs: ['tickets.list'] },
  '/tickets/:id': { title: 'Ticket', needs: ['tickets.get'] },
  '/metrics': { title: 'Metrics', needs: ['metrics.get'] },
  '/metrics/:metric': { title: 'Metric', needs: ['metrics.get'] },
  '/cohorts': { title: 'Cohorts', needs: ['cohorts.list'] },
  '/cohorts/new': { title: 'New cohort', needs: ['cohorts.create', 'cohorts.preview'] },
  '/cohorts/:id': { title: 'Cohort', needs: ['cohorts.get'] },
  '/motions': { title: 'Motions', needs: ['motions.list'] },
  '/motions/new': { title: 'New motion', needs: ['motions.create'] },
  '/motions/:id': { title: 'Motion', needs: ['motions.get'] },
  '/api-keys': { title: 'API keys', needs: ['console.apiKeys.list'] },
  '/settings': { title: 'Team and settings', needs: ['console.members.list'] },
} as const satisfies Readonly<Record<string, PageRights>>;

export type TenantPagePath = keyof typeof TENANT_PAGES;

/**
 * The pages of operators, by the part of their address below `/console/operator`. All operators may
 * read them.
 */
export const OPERATOR_PAGES = [
  '',
  '/tenants',
  '/tenants/:id',
  '/usage',
  '/analysts',
  '/jobs',
  '/search',
  '/audit-log',
  '/sessions',
] as const;

export type OperatorPagePath = (typeof OPERATOR_PAGES)[number];

/** Returns the page that an address leads to; undefined if there is none. */
export const findPage = <T extends string>(pages: readonly T[], path: string): T | undefined =>
  pages.find((pattern) => new RegExp(`^${pattern.replace(/:\w+/, '[^/]+')}/?$`).test(path));

/** Returns the page for an address below a tenant; undefined if there is none. */
export const findTenantPage = (path: string): TenantPagePath | undefined =>
  findPage(Object.keys(TENANT_PAGES) as TenantPagePath[], path);
