import { computed, signal } from '@preact/signals';
import {
  MEMBER_RIGHTS,
  type Operation,
  OPERATIONS,
  OPERATOR_RIGHTS,
  TENANT_PAGES,
  type TenantPagePath,
} from '../rights';
import { callConsole, ConsoleError } from './console-api';

export type Environment = 'live' | 'test';

export interface Membership {
  readonly tenant: { readonly id: string; readonly name: string };
  readonly role: string;
  readonly scopes: Readonly<Record<Environment, readonly string[]>>;
  /** The page of the platform that placed the link to this dashboard; null without one. */
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
  | { readonly kind: 'signed-out' }
  | { readonly kind: 'unreachable'; readonly error: ConsoleError }
  | { readonly kind: 'signed-in'; readonly session: Session };

/** The signed-in person. Every page reads this value; only this module writes it. */
export const sessionState = signal<SessionState>({ kind: 'loading' });

/** The tenant and environment that the address names; null on pages outside a tenant. */
export const place = signal<{
  readonly tenantId: string;
  readonly environment: Environment;
} | null>(null);

/** The membership in the tenant that the address names. */
export const membership = computed<Membership | null>(() => {
  const state = sessionState.value;
  const here = place.value;
  if (state.kind !== 'signed-in' || here === null) return null;
  return state.session.memberships.find(({ tenant }) => tenant.id === here.tenantId) ?? null;
});

/** True if the signed-in person sees all tenants of the installation. */
export const isOperator = computed<boolean>(() => {
  const state = sessionState.value;
  return state.kind === 'signed-in' && state.session.operator !== null;
});

/**
 * True if the signed-in person may call the operation, for the tenant and environment that the
 * address names. The service refuses it to the others.
 */
export const may = (operation: Operation): boolean =>
  OPERATIONS[operation].split(' ').every(hasRight);

const hasRight = (right: string): boolean => {
  const state = sessionState.value;
  const operator = state.kind === 'signed-in' ? state.session.operator : null;
  const forOperators = OPERATOR_RIGHTS[right];
  if (forOperators !== undefined) return operator !== null && forOperators.includes(operator.role);
  const here = place.value;
  const member = membership.value;
  if (here === null || member === null) return false;
  return (
    MEMBER_RIGHTS[right]?.includes(member.role) ?? member.scopes[here.environment].includes(right)
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

export const signIn = (session: Session): void => {
  sessionState.value = { kind: 'signed-in', session };
};

export const signOut = async (): Promise<void> => {
  await callConsole('/session', { method: 'DELETE' });
  sessionState.value = { kind: 'signed-out' };
};

/** Called for every 401: the session has ended, so the sign-in page is shown. */
export const endSession = (): void => {
  sessionState.value = { kind: 'signed-out' };
};

const REMEMBERED = 'environment';

/** Keeps the environment that is shown, for the next time that this browser opens a tenant. */
export const rememberEnvironment = (environment: Environment): void => {
  localStorage.setItem(REMEMBERED, environment);
};

/**
 * The first page of a tenant: in the environment that this browser had open last, else in test.
 * Links may open one environment alone.
 */
export const findHome = ({ tenant, scopes }: Membership): string => {
  const allowed = (['test', 'live'] as const).filter((each) => scopes[each].length > 0);
  const last = localStorage.getItem(REMEMBERED);
  const environment = allowed.find((each) => each === last) ?? allowed[0] ?? 'live';
  return `/console/t/${tenant.id}/${environment}`;
};
