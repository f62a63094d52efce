import { mayManage, membership, place } from '../api/session';
import type { IconName } from '../ui/icons';

export interface NavItem {
  readonly title: string;
  readonly path: string;
  readonly icon: IconName;
  /** The scope that is needed to see the page. */
  readonly scope?: string;
  /** Shown only to the roles that manage this. */
  readonly manages?: 'keys';
}

/** The pages of a tenant, grouped by who uses them. */
export const TENANT_NAVIGATION: readonly (readonly [string, readonly NavItem[]])[] = [
  ['', [{ title: 'Home', path: '', icon: 'home' }]],
  [
    'Webhooks',
    [
      {
        title: 'Destinations',
        path: '/destinations',
        icon: 'destinations',
        scope: 'destinations:read',
      },
      {
        title: 'Deliveries',
        path: '/deliveries',
        icon: 'deliveries',
        scope: 'destinations:read',
      },
      { title: 'Events', path: '/events', icon: 'events', scope: 'events:read' },
      { title: 'Replays', path: '/replays', icon: 'replays', scope: 'replay:read' },
      {
        title: 'Event catalogue',
        path: '/catalogue',
        icon: 'catalogue',
        scope: 'events:read',
      },
    ],
  ],
  [
    'Customers',
    [
      {
        title: 'Subscribers',
        path: '/subscribers',
        icon: 'subscribers',
        scope: 'subscribers:read',
      },
      { title: 'Tickets', path: '/tickets', icon: 'tickets', scope: 'tickets:read' },
    ],
  ],
  [
    'Growth',
    [
      { title: 'Metrics', path: '/metrics', icon: 'metrics', scope: 'metrics:read' },
      { title: 'Cohorts', path: '/cohorts', icon: 'cohorts', scope: 'cohorts:read' },
      { title: 'Motions', path: '/motions', icon: 'motions', scope: 'motions:read' },
    ],
  ],
  [
    'Settings',
    [
      { title: 'API keys', path: '/api-keys', icon: 'keys', manages: 'keys' },
      { title: 'Team and settings', path: '/settings', icon: 'team' },
    ],
  ],
];

export const OPERATOR_NAVIGATION: readonly NavItem[] = [
  { title: 'Overview', path: '/console/operator', icon: 'operator' },
  { title: 'Tenants', path: '/console/operator/tenants', icon: 'tenants' },
  { title: 'Usage', path: '/console/operator/usage', icon: 'metrics' },
  { title: 'Analysts', path: '/console/operator/analysts', icon: 'team' },
  { title: 'Jobs', path: '/console/operator/jobs', icon: 'jobs' },
  { title: 'Audit log', path: '/console/operator/audit-log', icon: 'catalogue' },
  { title: 'Sessions', path: '/console/operator/sessions', icon: 'keys' },
];

const listScopes = (): readonly string[] => {
  const here = place.value;
  return here === null ? [] : (membership.value?.scopes[here.environment] ?? []);
};

/**
 * True if the signed-in person may open the page here. The service checks the same for every call.
 */
export const maySee = ({ scope, manages }: NavItem): boolean =>
  (scope === undefined || listScopes().includes(scope)) &&
  (manages === undefined || mayManage(manages));

/** Returns the navigation item of an address below a tenant. */
export const findPage = (pathBelowTenant: string): NavItem | undefined =>
  TENANT_NAVIGATION.flatMap(([, items]) => items).find(
    ({ path }) =>
      path !== '' && (pathBelowTenant === path || pathBelowTenant.startsWith(`${path}/`)),
  );

/** True if the role changes nothing in the environment that is shown. */
export const isReadOnly = (): boolean =>
  membership.value !== null && listScopes().every((scope) => scope.endsWith(':read'));
