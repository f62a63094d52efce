import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http2';
import { errors } from '../protocol/rpc-error';

/** Passwords by user name. */
export type Users = ReadonlyMap<string, string>;

/** Answers the user, if the server has users; throws an RpcError for wrong credentials. */
export type Authenticate = (path: string, headers: IncomingHttpHeaders) => string | undefined;

/** What a client calls before it has anything to show, as on the real server. */
const OPEN_PATHS: ReadonlySet<string> = new Set([
  '/event_store.client.server_features.ServerFeatures/GetSupportedMethods',
  '/event_store.client.gossip.Gossip/Read',
]);

/**
 * Basic authentication. Without users every call is accepted, whatever credentials it has. With
 * users, wrong credentials are refused everywhere, and none are accepted only where a client looks
 * around first.
 */
export const authenticator =
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
    if (known === undefined || !equals(known, password)) throw errors.unauthenticated();
    return name;
  };

const parseBasic = (header: string): { readonly name: string; readonly password: string } => {
  const encoded = /^basic\s+(\S+)\s*$/i.exec(header)?.[1] ?? '';
  const text = Buffer.from(encoded, 'base64').toString();
  const colon = text.indexOf(':');
  return { name: text.slice(0, colon), password: text.slice(colon + 1) };
};

/** Digests have one length, so the comparison takes one time. */
const equals = (a: string, b: string): boolean => timingSafeEqual(digest(a), digest(b));

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
