import type { PageComponent } from '../page-component';
import { ApiKeys } from './api-keys';
import { TeamAndSettings } from './settings';

/** Keys, members and settings of a tenant. */
export const TEAM_PAGES = {
  '/api-keys': ApiKeys,
  '/settings': TeamAndSettings,
} as const satisfies Readonly<Record<string, PageComponent>>;
