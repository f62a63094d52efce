import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** A span as OTLP/HTTP writes it in JSON. */
export interface CollectedSpan {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly links?: readonly { readonly traceId: string; readonly spanId: string }[];
  readonly status: { readonly code?: number };
}

/** A span with the process that sent it; without one where the service is a single process. */
export type SentSpan = CollectedSpan & { readonly process: string | undefined };

interface Attribute {
  readonly key: string;
  readonly value: { readonly stringValue?: string };
}

interface Request {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly Attribute[] };
    readonly scopeSpans: readonly { readonly spans: readonly CollectedSpan[] }[];
  }[];
}

/**
 * A collector of spans on a real socket that speaks OTLP/HTTP. It reads JSON and keeps every body.
 */
export class OtlpCollector {
  readonly spans: SentSpan[] = [];
  readonly services = new Set<string>();
  /** The received bodies with their content types. */
  readonly bodies: { readonly type: string; readonly text: string }[] = [];

  private constructor(private readonly server: Server) {}

  static async start(): Promise<OtlpCollector> {
    const server = createServer();
    const collector = new OtlpCollector(server);
    server.on('request', (request: IncomingMessage, response) => {
      void collector.take(request).then((status) => {
        response.writeHead(status, { 'content-type': 'application/json' }).end('{}');
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return collector;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  listSpansOfTrace(traceId: string): SentSpan[] {
    return this.spans.filter((span) => span.traceId === traceId);
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async take(request: IncomingMessage): Promise<number> {
    const text = (await buffer(request)).toString('latin1');
    if (request.method !== 'POST' || request.url !== '/v1/traces') return 404;
    const type = request.headers['content-type'] ?? '';
    this.bodies.push({ type, text });
    if (type === 'application/json') this.read(JSON.parse(text) as Request);
    return 200;
  }

  private read({ resourceSpans }: Request): void {
    for (const { resource, scopeSpans } of resourceSpans) {
      const readAttribute = (name: string): string | undefined =>
        resource.attributes.find(({ key }) => key === name)?.value.stringValue;
      this.services.add(readAttribute('service.name') ?? '');
      const process = readAttribute('process');
      for (const { spans } of scopeSpans)
        this.spans.push(...spans.map((span) => ({ ...span, process })));
    }
  }
}
