import type { TraceContext } from '../kernel/trace';

/** What the service does, as it is shown in a trace. */
export type StepName = 'request' | 'append' | 'project' | 'deliver' | 'attempt' | 'replay';

/** A step of a trace that has ended. Tools call it a span. */
export interface Step {
  readonly name: StepName;
  /** Its trace; `parentId` is the id of this step, as the steps that it causes see it. */
  readonly trace: TraceContext;
  /** The id of the step that caused it; null at the start of a trace. */
  readonly causeId: string | null;
  /** Steps of other traces that it belongs to. */
  readonly links?: readonly TraceContext[];
  /** Unix time. */
  readonly startedAtMs: number;
  readonly durationMs: number;
  /** Ids, counts and codes; never a secret or personal data. */
  readonly attributes: Readonly<Record<string, string | number>>;
  /** Why it failed; left out where it did not. */
  readonly error?: string;
}

/**
 * Records the steps of traces. Trace ids are data and exist without it (`kernel/trace.ts`); the steps
 * go to a collector only where one is configured.
 */
export abstract class Tracing {
  /** Whether any steps are recorded at all. */
  abstract readonly isOn: boolean;
  /** Whether the steps of a trace are recorded; `cause` is the step before, null at its start. */
  abstract isSampled(traceId: string, cause: TraceContext | null): boolean;
  /** Records a step, if its trace is sampled. */
  abstract record(step: Step): void;
  /** Sends what was recorded. */
  abstract close(): Promise<void>;
}

/** Records nothing; whether a trace is sampled is what its client says. */
class NoTracing extends Tracing {
  readonly isOn = false;

  isSampled(_traceId: string, cause: TraceContext | null): boolean {
    return cause?.isSampled ?? false;
  }

  record(): void {
    // There is no collector.
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

export const NO_TRACING: Tracing = new NoTracing();
