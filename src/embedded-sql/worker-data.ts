export interface SqlWorkerData {
  readonly dir: string;
  /** Path of the socket. Everybody who may enter its directory may read and write all data. */
  readonly socketPath: string;
  /** The number of connections that may be open at a time. */
  readonly connectionsMax: number;
}
