import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import {
  type Environment,
  holdsInput,
  isOperator,
  listEnvironments,
  loadSession,
  maySee,
  membership,
  personId,
  place,
  refreshSession,
  rememberEnvironment,
  sessionState,
} from './api/session';
import { NoRight, NotFound } from './pages/not-found';
import { AcceptInvitation } from './pages/sign-in/accept-invitation';
import { ChooseTenant } from './pages/sign-in/choose-tenant';
import { SignIn } from './pages/sign-in/sign-in';
import { SpendLink } from './pages/sign-in/spend-link';
import { OPERATOR_PAGE_COMPONENTS, TENANT_PAGE_COMPONENTS } from './pages/table';
import type { PageComponent } from './pages/page-component';
import {
  findPage,
  findTenantPage,
  OPERATOR_PAGES,
  TENANT_PAGES,
  type TenantPagePath,
} from './rights';
import { useSharedValues } from './shared-state';
import { Shell } from './shell/shell';
import { useLocation } from './ui/address';
import { Failure, Skeleton } from './ui/basics';
import { Toasts } from './ui/toast';

/** Pages without personal data. They are shown before the session is loaded. */
const PUBLIC_PAGES: Readonly<Record<string, () => JSX.Element>> = {
  '/console/sign-in': SignIn,
  '/console/link': SpendLink,
  '/console/join': AcceptInvitation,
};

export const App = (): JSX.Element => {
  useSharedValues();
  useEffect(() => {
    if (PUBLIC_PAGES[location.pathname] === undefined) void loadSession();
    // Another tab may have signed in, also as somebody else.
    addEventListener('focus', () => {
      if (sessionState.value.kind === 'signed-in') void refreshSession();
    });
  }, []);
  return (
    <>
      <Routes />
      <Toasts />
    </>
  );
};

/**
 * Without a session the sign-in page is shown at every address. The address stays, so that the
 * requested page opens after the sign-in.
 */
const Routes = (): JSX.Element => {
  const { path } = useLocation();
  const state = sessionState.value;
  const PublicPage = PUBLIC_PAGES[path];
  if (PublicPage !== undefined) return <PublicPage />;
  switch (state.kind) {
    case 'loading':
      return (
        <div class="centred">
          <Skeleton />
        </div>
      );
    case 'unreachable':
      return (
        <div class="centred">
          <Failure error={state.error} retry={() => void loadSession()} />
        </div>
      );
    case 'signed-out':
      return <SignIn />;
    case 'signed-in':
      return path === '/console' ? <ChooseTenant /> : <SignedIn />;
  }
};

const SignedIn = (): JSX.Element => {
  const { path } = useLocation();
  const [, tenantId, environment] = /^\/console\/t\/([^/]+)\/(live|test)(?:\/|$)/.exec(path) ?? [];
  const isOther = place.value?.tenantId !== tenantId || place.value?.environment !== environment;
  if (isOther) {
    place.value =
      tenantId === undefined ? null : { tenantId, environment: environment as Environment };
  }
  useEffect(() => {
    if (environment !== undefined) rememberEnvironment(environment as Environment);
  }, [environment]);
  const below = path.replace(/^\/console\/t\/[^/]+\/(?:live|test)/, '');
  const page = findTenantPage(below);
  if (tenantId !== undefined && membership.value === null) {
    return (
      <Shell>
        <NoRight title="You are not a member of this tenant">
          In another tab, this browser may have signed in to another tenant or as somebody else.
          Sign in again, or ask its team for an invitation.
        </NoRight>
      </Shell>
    );
  }
  const open = membership.value === null ? [] : listEnvironments(membership.value);
  if (place.value !== null && !open.includes(place.value.environment)) {
    return (
      <Shell>
        <NoRight title={`Your session may not see the ${place.value.environment} environment`}>
          It is for the {open.join()} environment only.
        </NoRight>
      </Shell>
    );
  }
  if (tenantId !== undefined && page !== undefined && !maySee(page)) {
    return (
      <Shell>
        <NoRight title={`${TENANT_PAGES[page].title}: your role may not see this`}>
          Your role is {membership.value?.role}. An owner or admin of your team can give you
          another.
        </NoRight>
      </Shell>
    );
  }
  // Every call is refused, but what a person has typed stays.
  if (membership.value?.suspended_at != null && page !== undefined && !holdsInput()) {
    return (
      <Shell>
        <NoRight title="The tenant is suspended">
          This page comes back as soon as an operator has resumed the tenant.
        </NoRight>
      </Shell>
    );
  }
  if (path.startsWith('/console/operator') && !isOperator.value) {
    return (
      <Shell>
        <NoRight title="These pages are for operators">
          They show all tenants of this installation. An operator prints a link with{' '}
          <code>npm run cli -- console link</code>.
        </NoRight>
      </Shell>
    );
  }
  const PageComponent = findPageComponent(path, page);
  return (
    <Shell>
      <PageComponent key={[tenantId, environment, membership.value?.role, personId.value].join()} />
    </Shell>
  );
};

const findPageComponent = (path: string, page: TenantPagePath | undefined): PageComponent => {
  if (place.value !== null) return page === undefined ? NotFound : TENANT_PAGE_COMPONENTS[page];
  const [, below] = /^\/console\/operator(.*)/.exec(path) ?? [];
  const operatorPage = below === undefined ? undefined : findPage(OPERATOR_PAGES, below);
  return operatorPage === undefined ? NotFound : OPERATOR_PAGE_COMPONENTS[operatorPage];
};
