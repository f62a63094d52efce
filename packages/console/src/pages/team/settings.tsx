import type { JSX } from 'preact';
import { useNameChoices } from '../../api/names';
import { createLoader, service } from '../../api/service';
import { may } from '../../api/session';
import { type ApiCall, Page, SESSION_ONLY, Tabs } from '../../ui/page';
import { useQuery } from '../../ui/query';
import { AuditTable } from './audit-log';
import { Members } from './members';
import { Sessions } from './sessions';
import { TenantSettings } from './tenant-settings';

const TABS = [
  ['members', 'Members'],
  ['sessions', 'Sessions'],
  ['settings', 'Settings'],
  ['audit', 'Audit log'],
] as const;

/** The pages of a tenant's settings: members, sessions, settings and the audit log. */
export const TeamAndSettings = (): JSX.Element => {
  const { query, href } = useQuery();
  const tabs = TABS.filter(([name]) => name !== 'audit' || may('auditLog.list'));
  const tab = tabs.find(([name]) => name === query['tab'])?.[0] ?? 'members';
  return (
    <Page title="Team and settings" call={CALLS[tab]}>
      <Tabs
        label="Team and settings"
        current={tab}
        tabs={tabs.map(([name, title]) => [
          name,
          title,
          href({ tab: name === 'members' ? null : name }),
        ])}
      />
      {tab === 'members' ? <Members /> : null}
      {tab === 'sessions' ? <Sessions /> : null}
      {tab === 'settings' ? <TenantSettings /> : null}
      {tab === 'audit' ? <TenantAuditLog /> : null}
    </Page>
  );
};

const TenantAuditLog = (): JSX.Element => {
  const names: Readonly<Record<string, ReadonlyMap<string, string>>> = {
    destination: new Map(useNameChoices('destinations')),
    cohort: new Map(useNameChoices('cohorts')),
    motion: new Map(useNameChoices('motions')),
    plan: new Map(useNameChoices('plans')),
  };
  return (
    <AuditTable
      findName={({ type, id }) => names[type]?.get(id) ?? null}
      load={(filters, cursor, signal) =>
        createLoader((page, options) => service().auditLog.list({ ...filters, ...page }, options))(
          cursor,
          signal,
        )
      }
    />
  );
};

const createSessionCall = (path: string): ApiCall => ({ method: 'GET', path, sdk: SESSION_ONLY });

const CALLS: Readonly<Record<(typeof TABS)[number][0], ApiCall>> = {
  members: createSessionCall('/console/v1/members'),
  sessions: createSessionCall('/console/v1/sessions'),
  settings: createSessionCall('/console/v1/settings'),
  audit: {
    method: 'GET',
    path: '/v1/audit_log',
    sdk: 'for await (const item of service.auditLog.list()) {\n  console.log(item.at, item.actor.name, item.action);\n}',
  },
};
