import { type buildConnector, Pool, ProxyAgent } from 'undici';
import { type AddressGuard, AddressRefused } from './address-guard';
import { type StoreGuard, StoreAddressRefused } from './sender-stores';
import { skippingContinue } from './interim';

interface ProxyOptions {
  /** User name and password in it are sent as Basic credentials. */
  readonly url: string;
  /** For the proxy's connection, and for its answer to CONNECT. */
  readonly connectTimeoutMs: number;
  readonly guard: AddressGuard;
  readonly storeGuard: StoreGuard;
  /** For the receivers' connections, as without a proxy. */
  readonly connections: Pool.Options;
}

/** Deliveries through an HTTP proxy, by CONNECT also where the receiver is plain `http://`. */
export const proxyAgent = ({
  url,
  connectTimeoutMs,
  guard,
  storeGuard,
  connections,
}: ProxyOptions): ProxyAgent => {
  const token = credentialsOf(new URL(url));
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
      const connect = skippingContinue(guarded(given.connect, { guard, storeGuard }));
      return new Pool(origin, { ...given, connect });
    },
  });
};

/** undici sends none where there is a user name only: some proxies want no more (RFC 7617). */
const credentialsOf = ({ username, password }: URL): string | null => {
  if (username === '' && password === '') return null;
  const plain = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return `Basic ${Buffer.from(plain).toString('base64')}`;
};

/**
 * The proxy resolves names for itself, so they are checked here before (D-68): a name that cannot be
 * resolved here in time is refused. It cannot be the very address that is connected to: against rebinding the proxy has to guard.
 */
const guarded =
  (
    connect: buildConnector.connector,
    guards: Pick<ProxyOptions, 'guard' | 'storeGuard'>,
  ): buildConnector.connector =>
  (options, callback) => {
    void refusalOf(options, guards).then((refusal) => {
      if (refusal !== null) {
        callback(refusal, null);
        return;
      }
      connect(options, (...[error, socket]) => {
        if (error === null) callback(null, socket);
        else callback(reasonOf(error), null);
      });
    });
  };

const refusalOf = async (
  { hostname, port, protocol }: buildConnector.Options,
  { guard, storeGuard }: Pick<ProxyOptions, 'guard' | 'storeGuard'>,
): Promise<Error | null> => {
  const reached = Number(port || (protocol === 'https:' ? 443 : 80));
  if (await storeGuard.leadsToStore(hostname, reached)) return new StoreAddressRefused();
  return (await guard.allows(hostname, false)) ? null : new AddressRefused();
};

/** What the proxy did instead of connecting; `code` is shown as the attempt's error. */
class ProxyFailed extends Error {
  override readonly name = 'ProxyFailed';

  constructor(readonly code: string) {
    super(code);
  }
}

/**
 * A proxy that hangs up before it answers is no receiver that closed an idle connection: that undici
 * would mend by connecting again at once, for ever (`onError` in its `lib/dispatcher/client.js`).
 */
const reasonOf = (error: Error): Error => {
  const { code } = error as { readonly code?: unknown };
  if (code === 'UND_ERR_SOCKET' || code === 'UND_ERR_INFO') return new ProxyFailed('proxy_closed');
  const [, status] = /^Proxy response \((\d{3})\)/.exec(error.message) ?? [];
  return status === undefined ? error : new ProxyFailed(`proxy_refused_${status}`);
};
