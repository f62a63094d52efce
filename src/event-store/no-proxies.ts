/**
 * Environment variables that grpc-js reads unless a channel has its own setting. The client's
 * channels have none.
 */
const PROXY_VARIABLES = ['grpc_proxy', 'https_proxy', 'http_proxy'];

/**
 * Makes the client connect to the store directly, even if the environment names a proxy for other
 * programs (D-68). An HTTP proxy would not know the embedded store, and the start would wait for
 * ever.
 */
export const ignoreProxies = (): void => {
  for (const name of PROXY_VARIABLES) Reflect.deleteProperty(process.env, name);
};
