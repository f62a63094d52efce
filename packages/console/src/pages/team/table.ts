import type { PageComponent } from '../page-component';
import { ApiKeys } from './api-keys';
import { TeamAndSettings } from './settings';

/** Keys, members and settings of a tenant. */
export const TEAM_PAGES: Readonly<Record<string, PageComponent>> = {
  '/api-keys': ApiKeys,
  '/settings': TeamAndSettings,
};
