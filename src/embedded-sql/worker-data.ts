export interface SqlWorkerData {
  readonly dir: string;
  /** Where it listens; who may enter the directory of this socket may read and write everything. */
  readonly socketPath: string;
  /** How many connections may be open at a time. */
  readonly connectionsMax: number;
}
