import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http2';
import { errors } from '../protocol/rpc-error';

/** The passwords by user name. */
export type Users = ReadonlyMap<string, string>;

/**
 * Returns the user's name, or undefined on a server without users. Throws if the credentials are
 * wrong.
 */
export type Authenticate = (path: string, headers: IncomingHttpHeaders) => string | undefined;

/** Calls that clients make without credentials, the same ones as on EventStoreDB. */
const OPEN_PATHS: ReadonlySet<string> = new Set([
  '/event_store.client.server_features.ServerFeatures/GetSupportedMethods',
  '/event_store.client.gossip.Gossip/Read',
]);

/**
 * Basic authentication. A server without users accepts every call, whatever its credentials. A
 * server with users refuses wrong credentials always, and missing credentials except on the open
 * paths.
 */
export const createAuthenticator =
  (users: Users): Authenticate =>
  (path, headers) => {
    if (users.size === 0) return undefined;
    const { authorization } = headers;
    if (authorization === undefined) {
      if (OPEN_PATHS.has(path)) return undefined;
      throw errors.unauthenticated();
    }
    const { name, password } = parseBasic(authorization);
    const known = users.get(name);
    if (known === undefined || !areEqual(known, password)) throw errors.unauthenticated();
    return name;
  };

/** The user that may do everything. On a server without users everybody may. */
const ADMINISTRATOR = 'admin';

export const assertAdministrator = (users: Users, user: string | undefined): void => {
  if (users.size > 0 && user !== ADMINISTRATOR) throw errors.accessDenied();
};

/** The users that may operate the server: start a scavenge, restart the groups, end the program. */
const OPERATORS: readonly string[] = [ADMINISTRATOR, 'ops'];

export const assertOperator = (users: Users, user: string | undefined): void => {
  if (users.size > 0 && !OPERATORS.includes(user ?? '')) throw errors.accessDenied();
};

const parseBasic = (header: string): { readonly name: string; readonly password: string } => {
  const encoded = /^basic\s+(\S+)\s*$/i.exec(header)?.[1] ?? '';
  const text = Buffer.from(encoded, 'base64').toString();
  const colon = text.indexOf(':');
  return { name: text.slice(0, colon), password: text.slice(colon + 1) };
};

/** Compares digests of the same length, so that the time reveals nothing about the password. */
const areEqual = (a: string, b: string): boolean =>
  timingSafeEqual(computeDigest(a), computeDigest(b));

const computeDigest = (text: string): Buffer => createHash('sha256').update(text).digest();
