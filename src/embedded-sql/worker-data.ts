export interface SqlWorkerData {
  readonly dir: string;
  /** Path of the socket. Everybody who may enter its directory may read and write all data. */
  readonly socketPath: string;
}
