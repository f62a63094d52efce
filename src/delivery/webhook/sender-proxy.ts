import { type buildConnector, Pool, ProxyAgent } from 'undici';
import { type AddressGuard, AddressRefused } from './address-guard';
import { type StoreGuard, StoreAddressRefused } from './sender-store-guard';
import { skipContinue } from './interim-responses';

interface ProxyOptions {
  /** URL of the proxy. User name and password in it are sent as Basic credentials. */
  readonly url: string;
  /** Time limit for the connection to the proxy and for its response to CONNECT. */
  readonly connectTimeoutMs: number;
  readonly guard: AddressGuard;
  readonly storeGuard: StoreGuard;
  /** Options of the connections to receivers, the same as without a proxy. */
  readonly connections: Pool.Options;
}

/**
 * Creates the agent for deliveries through an HTTP proxy. It uses CONNECT even if the receiver is
 * plain `http://`.
 */
export const createProxyAgent = ({
  url,
  connectTimeoutMs,
  guard,
  storeGuard,
  connections,
}: ProxyOptions): ProxyAgent => {
  const token = readCredentials(new URL(url));
  return new ProxyAgent({
    ...connections,
    uri: url,
    ...(token === null ? {} : { token }),
    proxyTls: { timeout: connectTimeoutMs },
    requestTls: { timeout: connectTimeoutMs },
    clientFactory: (origin, options) =>
      new Pool(origin, { ...options, headersTimeout: connectTimeoutMs }),
    factory: (origin, options) => {
      const given = options as Pool.Options & { readonly connect: buildConnector.connector };
      const connect = skipContinue(guardConnector(given.connect, { guard, storeGuard }));
      return new Pool(origin, { ...given, connect });
    },
  });
};

/**
 * Returns the credentials of the proxy. undici sends none if there is only a user name, which is
 * enough for some proxies (RFC 7617).
 */
const readCredentials = ({ username, password }: URL): string | null => {
  if (username === '' && password === '') return null;
  const plain = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return `Basic ${Buffer.from(plain).toString('base64')}`;
};

/**
 * Checks names before the proxy resolves them (D-68). A name that cannot be resolved here in time
 * is refused. The proxy may connect to another address than the one checked here, so the proxy
 * itself must guard against DNS rebinding.
 */
const guardConnector =
  (
    connect: buildConnector.connector,
    guards: Pick<ProxyOptions, 'guard' | 'storeGuard'>,
  ): buildConnector.connector =>
  (options, callback) => {
    void findRefusal(options, guards).then((refusal) => {
      if (refusal !== null) {
        callback(refusal, null);
        return;
      }
      connect(options, (...[error, socket]) => {
        if (error === null) callback(null, socket);
        else callback(toProxyError(error), null);
      });
    });
  };

const findRefusal = async (
  { hostname, port, protocol }: buildConnector.Options,
  { guard, storeGuard }: Pick<ProxyOptions, 'guard' | 'storeGuard'>,
): Promise<Error | null> => {
  const reached = Number(port || (protocol === 'https:' ? 443 : 80));
  if (await storeGuard.leadsToStore(hostname, reached)) return new StoreAddressRefused();
  return (await guard.allows(hostname, false)) ? null : new AddressRefused();
};

/** Thrown when the proxy did not connect. `code` is shown as the error of the attempt. */
class ProxyFailed extends Error {
  override readonly name = 'ProxyFailed';

  constructor(readonly code: string) {
    super(code);
  }
}

/**
 * Converts errors of the proxy's connection. If the proxy hangs up before it answers, undici would
 * take this for an idle connection that was closed and connect again at once, for ever (`onError`
 * in its `lib/dispatcher/client.js`). A different error prevents that.
 */
const toProxyError = (error: Error): Error => {
  const { code } = error as { readonly code?: unknown };
  if (code === 'UND_ERR_SOCKET' || code === 'UND_ERR_INFO') return new ProxyFailed('proxy_closed');
  const [, status] = /^Proxy response \((\d{3})\)/.exec(error.message) ?? [];
  return status === undefined ? error : new ProxyFailed(`proxy_refused_${status}`);
};
