import type { TraceContext } from '../kernel/trace';

/** Names of the steps that a trace of the service contains. */
export type StepName = 'request' | 'append' | 'project' | 'deliver' | 'attempt' | 'replay';

/** A step of a trace that has ended. Tools call it a span. */
export interface Step {
  readonly name: StepName;
  /** Trace of the step; `parentId` is the id of this step, as the steps that it causes see it. */
  readonly trace: TraceContext;
  /** Id of the step that caused it; null at the start of a trace. */
  readonly causeId: string | null;
  /** Steps of other traces to which this step is linked. */
  readonly links?: readonly TraceContext[];
  /** Start of the step in Unix milliseconds. */
  readonly startedAtMs: number;
  readonly durationMs: number;
  /** Attributes: ids, counts and codes, never a secret or personal data. */
  readonly attributes: Readonly<Record<string, string | number>>;
  /** Reason of a failure; undefined if it succeeded. */
  readonly error?: string;
}

/**
 * Records the steps of traces. Trace ids are data and exist without it (`kernel/trace.ts`). The
 * steps are sent to a collector only if one is configured.
 */
export abstract class Tracing {
  /** True if steps are recorded at all. */
  abstract readonly isOn: boolean;
  /**
   * Returns true if the steps of a trace are recorded; `cause` is the previous step, null at the
   * start of the trace.
   */
  abstract isSampled(traceId: string, cause: TraceContext | null): boolean;
  /** Records a step, if its trace is sampled. */
  abstract record(step: Step): void;
  /** Sends the recorded steps and stops. */
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
