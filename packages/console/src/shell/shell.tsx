import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { useLocation } from '../ui/address';
import {
  type Environment,
  findHome,
  isOperator,
  listEnvironments,
  maySee,
  membership,
  place,
  refreshSession,
  sessionState,
  signOut,
} from '../api/session';
import { repeatWhileVisible } from '../api/load';
import { findTenantPage, TENANT_PAGES } from '../rights';
import { Button } from '../ui/basics';
import { Icon } from '../ui/icons';
import { Menu } from '../ui/menu';
import { createTenantPath } from '../ui/page';
import { Suspended } from '../ui/suspended';
import { isReadOnly, type NavItem, OPERATOR_NAVIGATION, TENANT_NAVIGATION } from './navigation';
import { SearchBox } from './search-box';

const SUSPENSION_POLL_MS = 10_000;

/** The frame of all pages: navigation at the side, search and account at the top. */
export const Shell = ({ children }: { children: ComponentChildren }): JSX.Element => {
  const [isOpen, setOpen] = useState(false);
  const { path } = useLocation();
  useEffect(() => {
    setOpen(false);
  }, [path]);
  const here = place.value;
  return (
    <>
      <a class="visually-hidden" href="#content">
        Skip to the content
      </a>
      <div class="shell">
        <aside class="side" data-open={isOpen}>
          {here === null ? <OutsideTenants /> : <TenantMenu />}
          {here === null ? null : <TenantNavigation />}
          <a class="item" href="/docs" target="_blank" rel="noreferrer">
            <Icon name="external" /> API reference
          </a>
          <p class="small muted">Times in {Intl.DateTimeFormat().resolvedOptions().timeZone}</p>
        </aside>
        <div class="main">
          <header class="top">
            <WayBack />
            {here?.environment === 'test' ? (
              <div class="band">Test environment. Nothing here touches live data.</div>
            ) : null}
            <div class="topbar">
              <span class="menu-button">
                <Button
                  kind="quiet"
                  icon="menu"
                  aria-label="Navigation"
                  aria-expanded={isOpen}
                  onClick={() => {
                    setOpen(!isOpen);
                  }}
                />
              </span>
              <SearchBox />
              <span class="grow" />
              {here !== null && isReadOnly() ? (
                <span
                  class="tag"
                  title="Your role changes nothing here. The service refuses it too."
                >
                  Read only
                </span>
              ) : null}
              {here === null ? null : <EnvironmentSwitch />}
              <AccountMenu />
            </div>
          </header>
          <SuspendedTenant />
          {children}
        </div>
      </div>
    </>
  );
};

/** While the tenant is suspended, the page looks whether it has been resumed. */
const SuspendedTenant = (): JSX.Element | null => {
  const at = membership.value?.suspended_at;
  useEffect(
    () => repeatWhileVisible(() => void refreshSession(), at == null ? 0 : SUSPENSION_POLL_MS),
    [at],
  );
  return at == null ? null : (
    <section aria-label="Suspension">
      <Suspended at={at} />
    </section>
  );
};

/** A link to the page of the platform that contains the link to this dashboard. */
const WayBack = (): JSX.Element | null => {
  const address = membership.value?.return_url ?? null;
  if (address === null || !/^https?:\/\//.test(address) || !URL.canParse(address)) return null;
  return (
    <a class="way-back" href={address}>
      <span aria-hidden="true">←</span> Back to {new URL(address).host}
    </a>
  );
};

/**
 * The navigation of pages without a tenant. It contains the pages of operators, for operators only.
 */
const OutsideTenants = (): JSX.Element =>
  isOperator.value ? (
    <>
      <OperatorBrand />
      <OperatorNavigation />
    </>
  ) : (
    <a class="item" href="/console/">
      <Icon name="home" /> Your tenants
    </a>
  );

const OperatorBrand = (): JSX.Element => (
  <a class="item" href="/console/operator">
    <Icon name="operator" /> <span class="brand">Operator</span>
  </a>
);

const OperatorNavigation = (): JSX.Element => (
  <nav aria-label="Pages">
    <div>
      {OPERATOR_NAVIGATION.map((item) => (
        <NavLink
          item={item}
          href={item.path}
          isCurrent={(path) =>
            item.path === '/console/operator' ? path === item.path : path.startsWith(item.path)
          }
        />
      ))}
    </div>
  </nav>
);

const TenantNavigation = (): JSX.Element => {
  const here = place.value;
  if (here === null) return <nav />;
  const root = `/console/t/${here.tenantId}/${here.environment}`;
  return (
    <nav aria-label="Pages">
      {TENANT_NAVIGATION.map(([title, items]) => {
        const shown = items.filter(([path]) => maySee(path));
        return shown.length === 0 ? null : (
          <div>
            {title === '' ? null : <h2>{title}</h2>}
            {shown.map(([page, icon]) => (
              <NavLink
                item={{ title: TENANT_PAGES[page].title, path: page, icon }}
                href={`${root}${page}`}
                isCurrent={(path) =>
                  page === '' ? path === root : path.startsWith(`${root}${page}`)
                }
              />
            ))}
          </div>
        );
      })}
    </nav>
  );
};

const NavLink = ({
  item,
  href,
  isCurrent,
}: {
  item: NavItem;
  href: string;
  isCurrent: (path: string) => boolean;
}): JSX.Element => {
  const { path } = useLocation();
  const trimmed = path.endsWith('/') ? path.slice(0, -1) : path;
  return (
    <a class="item" href={href} aria-current={isCurrent(trimmed) ? 'page' : undefined}>
      <Icon name={item.icon} />
      {item.title}
    </a>
  );
};

/** The name of the shown tenant, and a menu of the others. */
const TenantMenu = (): JSX.Element => {
  const state = sessionState.value;
  const here = place.value;
  const memberships = state.kind === 'signed-in' ? state.session.memberships : [];
  const name = membership.value?.tenant.name ?? here?.tenantId;
  return (
    <Menu
      opener={{
        kind: 'quiet',
        children: (
          <>
            <span class="brand" title={name}>
              {name}
            </span>
            <span class="visually-hidden">, change tenant</span>
            <Icon name="down" size={14} />
          </>
        ),
      }}
    >
      {memberships.map((each) => (
        <a href={findHome(each)}>{each.tenant.name}</a>
      ))}
      {isOperator.value ? <a href="/console/operator">Operator console</a> : null}
    </Menu>
  );
};

/** A switch between the environments of the session. */
const EnvironmentSwitch = (): JSX.Element => {
  const here = place.value;
  const { path } = useLocation();
  const member = membership.value;
  const [, tenant = '', below = ''] = /^(\/console\/t\/[^/]+)\/(?:live|test)(.*)/.exec(path) ?? [];
  // An object belongs to one environment, so the other one shows the list.
  const isObject = findTenantPage(below)?.endsWith('/:id') === true;
  const page = isObject ? below.replace(/\/[^/]+$/, '') : below;
  const linkTo = (environment: Environment): string => `${tenant}/${environment}${page}`;
  return (
    <div class="switch" role="group" aria-label="Environment">
      {(member === null ? [] : listEnvironments(member)).map((environment) => (
        <a
          href={linkTo(environment)}
          aria-current={here?.environment === environment ? 'true' : undefined}
        >
          {environment === 'live' ? 'Live' : 'Test'}
        </a>
      ))}
    </div>
  );
};

const AccountMenu = (): JSX.Element => {
  const state = sessionState.value;
  if (state.kind !== 'signed-in') return <span />;
  const { person } = state.session;
  const name = person.name ?? person.email ?? 'One-time link';
  return (
    <Menu
      opener={{
        kind: 'quiet account',
        children: (
          <>
            <span class="avatar" aria-hidden="true">
              {name.slice(0, 1).toUpperCase()}
            </span>
            <span class="visually-hidden">Account of {name}</span>
            <span class="account-name" aria-hidden="true">
              {name.slice(0, 24)}
            </span>
            <Icon name="down" size={14} />
          </>
        ),
      }}
    >
      <div class="small muted">
        {person.email ?? 'Signed in by a one-time link'}
        {membership.value === null ? null : <div>Role: {membership.value.role}</div>}
      </div>
      {person.email === null || !maySee('/settings') ? null : (
        <a href={createTenantPath('/settings?tab=sessions')}>Change the password</a>
      )}
      <button type="button" onClick={() => void signOut()}>
        Sign out
      </button>
    </Menu>
  );
};
