/** Handles a call from another process. The payload and the result must be JSON. */
export type CallHandler = (payload: unknown) => unknown;

/** The other processes of a service that one supervisor runs on one machine (`PROCESSES`). */
export interface Siblings {
  /** The name of this process, such as `dispatcher-2`. */
  readonly name: string;
  /** The other processes that do not run or are not ready. */
  listMissing(): readonly string[];
  /**
   * Calls the process with this name or role. Rejects if it does not run, or ends before it
   * answers.
   */
  call(to: string, what: string, payload?: unknown): Promise<unknown>;
  /**
   * Calls all other processes that are ready. The result has an entry for each one that answered,
   * by its name.
   */
  callAll(what: string, payload?: unknown): Promise<ReadonlyMap<string, unknown>>;
  /** Registers the handler that answers one kind of call from another process. */
  answer(what: string, handler: CallHandler): void;
}
