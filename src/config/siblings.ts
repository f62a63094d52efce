/** Answers a call of another process. What it is given and what it answers must be JSON. */
export type CallHandler = (payload: unknown) => unknown;

/** The other processes of a service that one supervisor runs on one machine (`PROCESSES`). */
export interface Siblings {
  /** The name of this process, such as `dispatcher-2`. */
  readonly name: string;
  /** Processes that do not run or have not become ready, this one left out. */
  listMissing(): readonly string[];
  /** Calls the process of this name or role. Rejects when it does not run, or ends before it answers. */
  call(to: string, what: string, payload?: unknown): Promise<unknown>;
  /** Calls all other processes that are ready, and keeps the answers of those that gave one. */
  callAll(what: string, payload?: unknown): Promise<ReadonlyMap<string, unknown>>;
  /** Says how this process answers calls of this kind. */
  answer(what: string, handler: CallHandler): void;
}
