import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { bearerOf, sameSecret } from '../http/pipeline/authentication';
import type { Metrics } from '../ops/metrics';

const TIMEOUT_MS = 10_000;

export interface MetricsPlace {
  readonly host: string;
  readonly port: number;
  /** Who reads the metrics must send it; undefined = everybody who reaches the port may. */
  readonly token: string | undefined;
}

type MetricsText = Pick<Metrics, 'text'> & {
  readonly registry: Pick<Metrics['registry'], 'contentType'>;
};

/** Prometheus text on a port of its own, which a firewall can keep to the monitoring. */
export const serveMetrics = async (
  metrics: MetricsText,
  { host, port, token }: MetricsPlace,
): Promise<Server> => {
  const server = createServer({ requestTimeout: TIMEOUT_MS }, (request, response) => {
    if (request.method !== 'GET' || request.url !== '/metrics') {
      response.writeHead(404).end();
      return;
    }
    if (token !== undefined && !hasToken(request, token)) {
      response.writeHead(401, { 'www-authenticate': 'Bearer' }).end();
      return;
    }
    metrics.text().then(
      (text) => response.writeHead(200, { 'content-type': metrics.registry.contentType }).end(text),
      () => response.writeHead(500).end(),
    );
  });
  // It ends with the process: whoever watches a stop reads the metrics until then.
  server.unref();
  server.listen(port, host);
  await once(server, 'listening');
  return server;
};

const hasToken = ({ headers }: IncomingMessage, token: string): boolean => {
  try {
    return sameSecret(bearerOf(headers.authorization), token);
  } catch {
    return false;
  }
};
