import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { readBearer, isSameSecret } from '../http/pipeline/authentication';
import { ANSWER_HEADERS } from '../http/pipeline/secure-headers';
import type { Metrics } from '../ops/metrics';

const TIMEOUT_MS = 10_000;

export interface MetricsServerOptions {
  readonly host: string;
  readonly port: number;
  /** Token that readers must send; undefined = everybody who can reach the port may read. */
  readonly token: string | undefined;
}

type MetricsText = Pick<Metrics, 'collectText'> & {
  readonly registry: Pick<Metrics['registry'], 'contentType'>;
};

/** Serves the metrics on a separate port, which a firewall can restrict to the monitoring. */
export const serveMetrics = async (
  metrics: MetricsText,
  { host, port, token }: MetricsServerOptions,
): Promise<Server> => {
  const server = createServer({ requestTimeout: TIMEOUT_MS }, (request, response) => {
    for (const [name, value] of Object.entries(ANSWER_HEADERS)) response.setHeader(name, value);
    if (request.method !== 'GET' || request.url !== '/metrics') {
      response.writeHead(404).end();
      return;
    }
    if (token !== undefined && !hasToken(request, token)) {
      response.writeHead(401, { 'www-authenticate': 'Bearer' }).end();
      return;
    }
    metrics.collectText().then(
      (text) => response.writeHead(200, { 'content-type': metrics.registry.contentType }).end(text),
      () => response.writeHead(500).end(),
    );
  });
  // The server ends with the process, so that metrics can be read during a stop.
  server.unref();
  server.listen(port, host);
  await once(server, 'listening');
  return server;
};

const hasToken = ({ headers }: IncomingMessage, token: string): boolean => {
  try {
    return isSameSecret(readBearer(headers), token);
  } catch {
    return false;
  }
};
