import {
  MEMBER_RIGHTS,
  type Operation,
  OPERATIONS,
  OPERATOR_RIGHTS,
  TENANT_PAGES,
  type TenantPagePath,
} from '../rights';
import { createComputed, createShared } from '../shared-state';
import { callConsole, ConsoleError, onSessionEnd } from './console-api';

export type Environment = 'live' | 'test';

export interface Membership {
  readonly tenant: { readonly id: string; readonly name: string };
  readonly role: string;
  readonly scopes: Readonly<Record<Environment, readonly string[]>>;
  /** When the operator suspended the tenant; null if it is not suspended. */
  readonly suspended_at: string | null;
  /** The page of the platform that contains the link to this dashboard; null if there is none. */
  readonly return_url: string | null;
}

export interface Session {
  readonly person: {
    readonly id: string | null;
    readonly name: string | null;
    readonly email: string | null;
  };
  readonly expires_at: string;
  readonly memberships: readonly Membership[];
  readonly operator: { readonly role: 'operator' | 'operator_viewer' } | null;
}

type SessionState =
  | { readonly kind: 'loading' }
  | {
      readonly kind: 'signed-out';
      /** True if the session has ended while a page was open. */
      readonly isOver?: boolean;
    }
  | { readonly kind: 'unreachable'; readonly error: ConsoleError }
  | {
      readonly kind: 'signed-in';
      readonly session: Session;
      /** True if the session has ended, and the page stays because it holds what a person typed. */
      readonly isOver?: boolean;
    };

/** The session of the signed-in person. All pages read it, and only this module writes it. */
export const sessionState = createShared<SessionState>({ kind: 'loading' });

/** The tenant and environment in the address; null on pages without a tenant. */
export const place = createShared<{
  readonly tenantId: string;
  readonly environment: Environment;
} | null>(null);

/** The membership in the tenant of the address. */
export const membership = createComputed<Membership | null>(() => {
  const state = sessionState.value;
  const here = place.value;
  if (state.kind !== 'signed-in' || here === null) return null;
  return state.session.memberships.find(({ tenant }) => tenant.id === here.tenantId) ?? null;
});

/** The id of the signed-in person; null for a one-time link. */
export const personId = createComputed<string | null>(() => {
  const state = sessionState.value;
  return state.kind === 'signed-in' ? state.session.person.id : null;
});

/** True if the signed-in person sees all tenants of the installation. */
export const isOperator = createComputed<boolean>(() => {
  const state = sessionState.value;
  return state.kind === 'signed-in' && state.session.operator !== null;
});

/**
 * True if the signed-in person may call the operation in the tenant and environment of the address.
 * The service checks it too.
 */
export const may = (operation: Operation): boolean =>
  OPERATIONS[operation].split(' ').every(hasRight);

/** True if the signed-in person has a right or scope in the tenant and environment of the address. */
export const hasRight = (right: string): boolean => {
  const state = sessionState.value;
  const operator = state.kind === 'signed-in' ? state.session.operator : null;
  const forOperators = OPERATOR_RIGHTS[right];
  if (forOperators !== undefined) return operator !== null && forOperators.includes(operator.role);
  const here = place.value;
  const member = membership.value;
  if (here === null || member === null) return false;
  const scopes = member.scopes[here.environment];
  return (
    scopes.length > 0 && (MEMBER_RIGHTS[right]?.includes(member.role) ?? scopes.includes(right))
  );
};

/** True if the signed-in person may see what the page of a tenant shows. */
export const maySee = (page: TenantPagePath): boolean => TENANT_PAGES[page].needs.every(may);

export const loadSession = async (): Promise<void> => {
  try {
    signIn(await callConsole<Session>('/session'));
  } catch (error) {
    if (!(error instanceof ConsoleError)) throw error;
    sessionState.value =
      error.status === 401 ? { kind: 'signed-out' } : { kind: 'unreachable', error };
  }
};

let isRefreshing = false;

/**
 * Loads the session again: another tab may have signed in, also as somebody else, or a right may
 * have been taken away. The page then says so.
 */
export const refreshSession = async (): Promise<void> => {
  if (isRefreshing) return;
  isRefreshing = true;
  await callConsole<Session>('/session').then(signIn, () => null);
  isRefreshing = false;
};

export const signIn = (session: Session): void => {
  sessionState.value = { kind: 'signed-in', session };
};

export const signOut = async (): Promise<void> => {
  await callConsole('/session', { method: 'DELETE' });
  sessionState.value = { kind: 'signed-out' };
};

/** True while a dialog with a form is open, or something that was typed is not saved. */
export const holdsInput = (): boolean =>
  document.querySelector('dialog[open] form, form[data-typed], [data-secret]') !== null;

/**
 * Ends the session after a 401. The sign-in page is shown, unless something that was typed would be
 * lost. Then only that stays: the stylesheet hides the rest of the page.
 */
onSessionEnd(() => {
  const state = sessionState.value;
  if (state.kind !== 'signed-in') return;
  sessionState.value = holdsInput()
    ? { ...state, isOver: true }
    : { kind: 'signed-out', isOver: true };
});

const ENVIRONMENT_KEY = 'environment';

/** Uses the storage of the browser. In a frame of another site, browsers may refuse it. */
const tryStorage = <T>(use: (storage: Storage) => T): T | null => {
  try {
    return use(localStorage);
  } catch {
    return null;
  }
};

/** Stores the shown environment. This browser opens it at the next visit of a tenant. */
export const rememberEnvironment = (environment: Environment): void => {
  tryStorage((storage) => {
    storage.setItem(ENVIRONMENT_KEY, environment);
  });
};

/** Lists the environments of a membership. A one-time link may allow one environment only. */
export const listEnvironments = ({ scopes }: Membership): readonly Environment[] =>
  (['live', 'test'] as const).filter((each) => scopes[each].length > 0);

/**
 * Returns the address of a tenant's first page. The environment is the one that this browser showed
 * last, or test.
 */
export const findHome = (member: Membership): string => {
  const allowed = listEnvironments(member);
  const last = tryStorage((storage) => storage.getItem(ENVIRONMENT_KEY));
  const environment = allowed.find((each) => each === last) ?? allowed.at(-1) ?? 'live';
  return `/console/t/${member.tenant.id}/${environment}`;
};
