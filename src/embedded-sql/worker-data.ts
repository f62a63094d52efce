export interface SqlWorkerData {
  readonly dir: string;
  /** Path of the socket. Everybody who may enter its directory may read and write all data. */
  readonly socketPath: string;
  /** How many connections may be open at a time. */
  readonly connectionsMax: number;
}
