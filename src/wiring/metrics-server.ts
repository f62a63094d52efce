import { once } from 'node:events';
import { createServer } from 'node:http';
import type { Metrics } from '../ops/metrics';

const TIMEOUT_MS = 10_000;

/** Prometheus text on a port of its own, which a firewall can keep to the monitoring. */
export const serveMetrics = async (
  metrics: Metrics,
  { host, port }: { readonly host: string; readonly port: number },
): Promise<void> => {
  const server = createServer({ requestTimeout: TIMEOUT_MS }, (request, response) => {
    if (request.method !== 'GET' || request.url !== '/metrics') {
      response.writeHead(404).end();
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
};
