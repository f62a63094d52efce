import { membership, place } from '../api/session';
import type { TenantPagePath } from '../rights';
import type { IconName } from '../ui/icons';

/** The pages of a tenant in the navigation, grouped by their users. */
export const TENANT_NAVIGATION: readonly (readonly [
  string,
  readonly (readonly [TenantPagePath, IconName])[],
])[] = [
  ['', [['', 'home']]],
  [
    'Webhooks',
    [
      ['/destinations', 'destinations'],
      ['/deliveries', 'deliveries'],
      ['/events', 'events'],
      ['/replays', 'replays'],
      ['/catalogue', 'catalogue'],
    ],
  ],
  [
    'Customers',
    [
      ['/subscribers', 'subscribers'],
      ['/tickets', 'tickets'],
    ],
  ],
  [
    'Growth',
    [
      ['/metrics', 'metrics'],
      ['/cohorts', 'cohorts'],
      ['/motions', 'motions'],
    ],
  ],
  [
    'Settings',
    [
      ['/api-keys', 'keys'],
      ['/settings', 'team'],
    ],
  ],
];

export interface NavItem {
  readonly title: string;
  readonly path: string;
  readonly icon: IconName;
}

export const OPERATOR_NAVIGATION: readonly NavItem[] = [
  { title: 'Overview', path: '/console/operator', icon: 'operator' },
  { title: 'Tenants', path: '/console/operator/tenants', icon: 'tenants' },
  { title: 'Usage', path: '/console/operator/usage', icon: 'metrics' },
  { title: 'Analysts', path: '/console/operator/analysts', icon: 'team' },
  { title: 'Jobs', path: '/console/operator/jobs', icon: 'jobs' },
  { title: 'Audit log', path: '/console/operator/audit-log', icon: 'catalogue' },
  { title: 'Sessions', path: '/console/operator/sessions', icon: 'keys' },
];

/** True if the role may change nothing in the shown environment. */
export const isReadOnly = (): boolean =>
  place.value !== null &&
  membership.value?.scopes[place.value.environment].every((scope) => scope.endsWith(':read')) ===
    true;
