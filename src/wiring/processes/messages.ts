/** What a process tells when it has begun its work. */
export interface ReadyFacts {
  /** Where the API listens; null for every other process. */
  readonly url: string | null;
  /** What the start-up lines say of it. */
  readonly notes: readonly string[];
  /** The SQL database was damaged and is a new one: what others remember of it is wrong. */
  readonly isNewDatabase: boolean;
}

interface Call {
  readonly kind: 'call';
  readonly id: number;
  readonly what: string;
  readonly payload?: unknown;
}

export interface Answer {
  readonly kind: 'answer';
  readonly id: number;
  readonly payload?: unknown;
  /** Set where there is no answer. */
  readonly error?: string;
}

/** From the supervisor to a process. */
export type ToChild =
  | { readonly kind: 'stop' }
  /** Processes that run, and those that are missing. */
  | {
      readonly kind: 'processes';
      readonly ready: readonly string[];
      readonly missing: readonly string[];
    }
  | Call
  | Answer;

/** From a process to the supervisor. */
export type ToSupervisor =
  ({ readonly kind: 'ready' } & ReadyFacts) | (Call & { readonly to: string }) | Answer;
