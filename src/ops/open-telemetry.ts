import type { SpanContext, SpanKind } from '@opentelemetry/api';
import type { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import type { NodeTracerProvider, Sampler } from '@opentelemetry/sdk-trace-node';
import { createRequire } from 'node:module';
import type { TraceContext } from '../kernel/trace';
import { limitWarnings, processName } from './log';
import { type FinishedSpan, type SpanName, Tracing } from './tracing';
import type { TracingSettings } from './tracing-settings';
import { VERSION } from './version';

/** Loads the packages only if tracing is on, and from outside of the bundle. */
const load = createRequire(__filename);

const SERVICE_NAME = 'subscription-event-service';
const WARN_EVERY_MS = 60_000;
/**
 * Time limit of the last export, so that a collector that does not answer does not delay the end of
 * the process.
 */
const CLOSE_TIMEOUT_MS = 3_000;

const KINDS = {
  request: 'SERVER',
  append: 'CLIENT',
  project: 'CONSUMER',
  deliver: 'CONSUMER',
  attempt: 'CLIENT',
  replay: 'INTERNAL',
} as const satisfies Record<SpanName, keyof typeof SpanKind>;

type Api = typeof import('@opentelemetry/api');
type Sdk = typeof import('@opentelemetry/sdk-trace-node');
type Resources = typeof import('@opentelemetry/resources');

/**
 * Exports spans to a collector over OTLP/HTTP. The exporter and the batch processor read the
 * standard variables themselves (`OTEL_EXPORTER_OTLP_…`, `OTEL_BSP_…`). Nothing is registered
 * globally, so no library of the process is instrumented.
 */
export class OpenTelemetryTracing extends Tracing {
  readonly isOn = true;
  private readonly api = load('@opentelemetry/api') as Api;
  private readonly sdk = load('@opentelemetry/sdk-trace-node') as Sdk;
  private readonly sampler: Sampler;
  private readonly provider: NodeTracerProvider;
  /**
   * Ids of the span that is being recorded. Ids are data, so the library must not create its own.
   */
  private ids = { traceId: '', spanId: '' };

  constructor(settings: TracingSettings) {
    super();
    const { sdk } = this;
    this.reportFaults();
    this.sampler = this.createSampler(settings);
    this.provider = new sdk.NodeTracerProvider({
      resource: this.createResource(),
      // Every recorded span is already sampled.
      sampler: new sdk.AlwaysOnSampler(),
      idGenerator: {
        generateTraceId: () => this.ids.traceId,
        generateSpanId: () => this.ids.spanId,
      },
      spanProcessors: [new sdk.BatchSpanProcessor(createExporter(settings))],
    });
  }

  isSampled(traceId: string, cause: TraceContext | null): boolean {
    const { api, sdk } = this;
    const context =
      cause === null
        ? api.ROOT_CONTEXT
        : api.trace.setSpanContext(api.ROOT_CONTEXT, this.createContext(cause));
    const kind = api.SpanKind.INTERNAL;
    const { decision } = this.sampler.shouldSample(context, traceId, '', kind, {}, []);
    return decision === sdk.SamplingDecision.RECORD_AND_SAMPLED;
  }

  record(span: FinishedSpan): void {
    const { trace, causeId, links = [], error } = span;
    if (!trace.isSampled) return;
    const { api } = this;
    this.ids = { traceId: trace.traceId, spanId: trace.parentId };
    const cause = causeId === null ? null : this.createContext({ ...trace, parentId: causeId });
    const recorded = this.provider.getTracer(SERVICE_NAME, VERSION).startSpan(
      span.name,
      {
        kind: api.SpanKind[KINDS[span.name]],
        attributes: span.attributes,
        links: links.map((each) => ({ context: this.createContext(each) })),
        startTime: toHrTime(span.startedAtMs),
      },
      cause === null ? api.ROOT_CONTEXT : api.trace.setSpanContext(api.ROOT_CONTEXT, cause),
    );
    if (error !== undefined) recorded.setStatus({ code: api.SpanStatusCode.ERROR, message: error });
    recorded.end(toHrTime(span.startedAtMs + span.durationMs));
  }

  async close(): Promise<void> {
    const timer = { limit: undefined as NodeJS.Timeout | undefined };
    const late = new Promise<void>((resolve) => {
      timer.limit = setTimeout(resolve, CLOSE_TIMEOUT_MS);
    });
    await Promise.race([this.provider.shutdown().catch(() => undefined), late]);
    clearTimeout(timer.limit);
  }

  private createContext({ traceId, parentId, isSampled }: TraceContext): SpanContext {
    const { SAMPLED, NONE } = this.api.TraceFlags;
    return { traceId, spanId: parentId, traceFlags: isSampled ? SAMPLED : NONE, isRemote: true };
  }

  private createResource(): ReturnType<Resources['resourceFromAttributes']> {
    const resources = load('@opentelemetry/resources') as Resources;
    const { resourceFromAttributes, detectResources, envDetector } = resources;
    return resourceFromAttributes({
      'service.name': SERVICE_NAME,
      'service.version': VERSION,
      ...(processName === undefined ? {} : { process: processName }),
    }).merge(detectResources({ detectors: [envDetector] }));
  }

  private createSampler({ sampler, ratio }: TracingSettings): Sampler {
    const { sdk } = this;
    const roots = {
      always_on: () => new sdk.AlwaysOnSampler(),
      always_off: () => new sdk.AlwaysOffSampler(),
      traceidratio: () => new sdk.TraceIdRatioBasedSampler(ratio),
    };
    const name = sampler.replace('parentbased_', '') as keyof typeof roots;
    const root = roots[name]();
    return sampler.startsWith('parentbased_') ? new sdk.ParentBasedSampler({ root }) : root;
  }

  /** An unavailable collector loses spans and has no other effect. */
  private reportFaults(): void {
    const { diag, DiagLogLevel } = this.api;
    const warn = limitWarnings(WARN_EVERY_MS);
    const report = (message: string): void => {
      warn({ error: message.slice(0, 500) }, 'spans cannot be sent to the collector');
    };
    const ignore = (): void => undefined;
    const silent = { warn: ignore, info: ignore, debug: ignore, verbose: ignore };
    diag.setLogger({ ...silent, error: report }, DiagLogLevel.ERROR);
  }
}

const createExporter = ({ protocol }: TracingSettings): OTLPTraceExporter => {
  const { OTLPTraceExporter: Exporter } =
    protocol === 'http/json'
      ? (load('@opentelemetry/exporter-trace-otlp-http') as Packages['json'])
      : (load('@opentelemetry/exporter-trace-otlp-proto') as Packages['protobuf']);
  return new Exporter();
};

interface Packages {
  readonly json: typeof import('@opentelemetry/exporter-trace-otlp-http');
  readonly protobuf: typeof import('@opentelemetry/exporter-trace-otlp-proto');
}

/**
 * Converts a time to seconds and nanoseconds, because the library reads a number as time since the
 * start of the process.
 */
const toHrTime = (atMs: number): [number, number] => {
  const seconds = Math.floor(atMs / 1_000);
  return [seconds, Math.round((atMs - seconds * 1_000) * 1_000_000)];
};
