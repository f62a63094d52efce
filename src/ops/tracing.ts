import type { TraceContext } from '../kernel/trace';

/** Names of the spans that a trace of the service contains. */
export type SpanName = 'request' | 'append' | 'project' | 'deliver' | 'attempt' | 'replay';

/** A span of a trace that has ended. */
export interface Span {
  readonly name: SpanName;
  /** Trace of the span; `parentId` is the id of this span, as its child spans see it. */
  readonly trace: TraceContext;
  /** Id of the parent span; null at the start of a trace. */
  readonly causeId: string | null;
  /** Steps of other traces to which this span is linked. */
  readonly links?: readonly TraceContext[];
  /** Start of the span in Unix milliseconds. */
  readonly startedAtMs: number;
  readonly durationMs: number;
  /** Attributes: ids, counts and codes, never a secret or personal data. */
  readonly attributes: Readonly<Record<string, string | number>>;
  /** Reason of a failure; undefined if the work succeeded. */
  readonly error?: string;
}

/**
 * Records the spans of traces. Trace ids are data and exist without it (`kernel/trace.ts`). The
 * spans are sent to a collector only if one is configured.
 */
export abstract class Tracing {
  /** True if spans are recorded at all. */
  abstract readonly isOn: boolean;
  /**
   * Returns true if the spans of a trace are recorded; `cause` is the parent span, null at the
   * start of the trace.
   */
  abstract isSampled(traceId: string, cause: TraceContext | null): boolean;
  /** Records a span, if its trace is sampled. */
  abstract record(span: Span): void;
  /** Sends the recorded spans and stops. */
  abstract close(): Promise<void>;
}

/** Records nothing. A trace counts as sampled if its client says so. */
class NoTracing extends Tracing {
  readonly isOn = false;

  isSampled(_traceId: string, cause: TraceContext | null): boolean {
    return cause?.isSampled ?? false;
  }

  record(): void {
    // Nothing is sent, because there is no collector.
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

export const NO_TRACING: Tracing = new NoTracing();
