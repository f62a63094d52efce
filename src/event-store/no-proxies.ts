/** What grpc-js goes by where a channel does not say otherwise, and the client's channels do not. */
const VARIABLES = ['grpc_proxy', 'https_proxy', 'http_proxy'];

/**
 * The stores are reached directly, whatever proxy the environment names for other programs (D-68); an
 * HTTP proxy would not know the embedded one, and the start would wait for it for ever.
 */
export const ignoreProxies = (): void => {
  for (const name of VARIABLES) Reflect.deleteProperty(process.env, name);
};
