/** The report of a process that it has started. */
export interface ReadyFacts {
  /** Address of the API; null for every other process. */
  readonly url: string | null;
  /** Lines about the process that are shown after the start. */
  readonly notes: readonly string[];
  /**
   * True if the SQL database was damaged and is empty now, so that data cached by other processes
   * is wrong.
   */
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
  /** Error message if the call failed. */
  readonly error?: string;
}

/** Messages from the supervisor to a process. */
export type ToChild =
  | { readonly kind: 'stop' }
  /** Names of the processes that run and of those that are missing. */
  | {
      readonly kind: 'processes';
      readonly ready: readonly string[];
      readonly missing: readonly string[];
    }
  | Call
  | Answer;

/** Messages from a process to the supervisor. */
export type ToSupervisor =
  ({ readonly kind: 'ready' } & ReadyFacts) | (Call & { readonly to: string }) | Answer;
