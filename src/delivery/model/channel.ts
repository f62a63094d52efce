import type { Environment } from '../../kernel/scope';
import type { Instant } from '../../kernel/time';
import type { TraceContext } from '../../kernel/trace';
import type {
  DestinationTarget,
  DestinationType,
} from '../../domain/destinations/destination-kinds';
import type { DeliveryDestination } from './destination';
import type { Deliverable } from './render';
import type { AttemptResult } from './verdict';

/** An attempt that is rendered and ready for a channel. */
export interface PreparedAttempt {
  readonly event: Deliverable;
  readonly destination: DeliveryDestination;
  /** Number of the attempt, starting at 1. */
  readonly attempt: number;
  readonly at: Instant;
  /** The event in the destination's PII mode and schema version. */
  readonly envelope: Readonly<Record<string, unknown>>;
  /** The schema version of the envelope. */
  readonly version: string;
  /** True if the envelope shows less than the first delivery did. */
  readonly isRedacted: boolean;
  /** The time of the first delivery, whose signatures a replay repeats; null if there are none. */
  readonly original: Instant | null;
  /** Set for an attempt of a replay: the job's id, and `skip_existing` or `force_redeliver`. */
  readonly replay: { readonly replayId: string; readonly dedupeStrategy: string } | null;
  readonly trace: TraceContext;
}

/** A message as it would be sent. */
export interface Preview {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The way to destinations of one kind. Each kind has its own folder in `src/delivery`. */
export interface Channel<Target extends DestinationTarget> {
  /** Throws a `DomainError` if a destination of the environment may not have this target. */
  checkTarget(target: Target, environment: Environment): Promise<void>;
  /** Sends once and returns the result; it never throws. */
  send(prepared: PreparedAttempt, target: Target): Promise<AttemptResult>;
  /** Returns the message that `send` would send. */
  preview(prepared: PreparedAttempt, target: Target): Preview;
  /** Returns the part of a result's body that the delivery log keeps. */
  selectLoggedBody(body: string): string;
  /** Stores the message of a test event where the test helpers show it. */
  storeTest(prepared: PreparedAttempt, result: AttemptResult): Promise<void>;
}

type ChannelsByType = {
  readonly [Type in DestinationType]: Channel<Extract<DestinationTarget, { readonly type: Type }>>;
};

/** One channel for each kind of destination. */
export class Channels {
  constructor(private readonly byType: ChannelsByType) {}

  /**
   * Returns the channel of a target's kind. Throws for a kind that only a later version of the service
   * knows, so that deliveries wait for a process of that version.
   */
  find<Target extends DestinationTarget>({ type }: Target): Channel<Target> {
    const channel: unknown = this.byType[type];
    if (channel === undefined) {
      throw new Error(`this version of the service has no channel of the kind ${type}`);
    }
    return channel as Channel<Target>;
  }
}
