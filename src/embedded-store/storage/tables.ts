import { open, type Database, type RootDatabase } from 'lmdb';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The LMDB environment: four tables, big-endian keys, so that LMDB's byte order is numeric order.
 *
 *     log      position (6)                      -> record (storage/record.ts)
 *     index    stream number (6), revision (6)   -> position (6)
 *     streams  stream name (UTF-8)               -> stream number (6)
 *     meta     text                              -> text
 *
 * Validity: every record of `log` that is not trimmed has exactly one `index` entry, and its stream
 * exactly one `streams` entry. All changes of one commit are one LMDB transaction, so a crash leaves
 * either all of them or none; a commit is acknowledged only after LMDB has written its meta page
 * with the data synced before it (`overlappingSync: false`, LMDB's own default).
 *
 * `meta` holds `format` (this layout, "1"), `nextStreamNumber`, `createdAt`, and the state of the
 * system projections (`projection:<name>`).
 */

export type Table = Database<Buffer, Buffer>;

export interface Tables {
  readonly root: RootDatabase<Buffer, Buffer>;
  readonly log: Table;
  readonly index: Table;
  readonly streams: Table;
  readonly meta: Table;
}

const TABLES_MAX = 8;

/** For who only reads: opening makes what is missing. */
export const assertStore = (dir: string): void => {
  if (!existsSync(join(dir, 'data.mdb'))) throw new Error(`${dir} has no event store.`);
};

export const openTables = (dir: string, options: { readOnly?: boolean } = {}): Tables => {
  const root = open<Buffer, Buffer>({
    path: dir,
    // Without this, lmdb-js takes a directory with a dot in its name for a file.
    noSubdir: false,
    readOnly: options.readOnly ?? false,
    maxDbs: TABLES_MAX,
    encoding: 'binary',
    keyEncoding: 'binary',
    // Plain LMDB: the commit promise resolves after fdatasync and the synced write of the meta page.
    overlappingSync: false,
    // The writer groups commits itself; nothing else may decide what shares a transaction.
    eventTurnBatching: false,
  });
  const table = (name: string): Table =>
    root.openDB<Buffer, Buffer>({ name, encoding: 'binary', keyEncoding: 'binary' });
  return {
    root,
    log: table('log'),
    index: table('index'),
    streams: table('streams'),
    meta: table('meta'),
  };
};

/** lmdb-js takes options here; its declaration of `put` names only versions. */
interface Appendable {
  put(key: Buffer, value: Buffer, options: { readonly append: true }): Promise<boolean>;
}

const APPEND = { append: true } as const;

/** For keys that only grow: pages are filled completely, and nothing is searched. */
export const appendTo = (table: Table, key: Buffer, value: Buffer): void => {
  void (table as unknown as Appendable).put(key, value, APPEND);
};

export const positionKey = (position: number): Buffer => {
  const key = Buffer.allocUnsafe(6);
  key.writeUIntBE(position, 0, 6);
  return key;
};

export const readPosition = (bytes: Buffer): number => bytes.readUIntBE(0, 6);

export const indexKey = (streamNumber: number, revision: number): Buffer => {
  const key = Buffer.allocUnsafe(12);
  key.writeUIntBE(streamNumber, 0, 6);
  key.writeUIntBE(revision, 6, 6);
  return key;
};

export const indexKeyRevision = (key: Buffer): number => key.readUIntBE(6, 6);

/** The layout above. Another number is refused, not guessed at. */
const STORE_FORMAT = '1';

/** A new store gets its format; one of another format, or without one, is refused. */
export const assertFormat = (dir: string, { meta, log }: Tables): void => {
  const format = meta.get(Buffer.from('format'))?.toString();
  if (format === STORE_FORMAT) return;
  if (format !== undefined) {
    throw new Error(`${dir} has event store format ${format}; this version reads ${STORE_FORMAT}.`);
  }
  for (const _ of log.getKeys({ limit: 1 })) throw new Error(`${dir} has events but no format.`);
  meta.putSync(Buffer.from('format'), Buffer.from(STORE_FORMAT));
};

const NEXT_STREAM_NUMBER = Buffer.from('nextStreamNumber');

export const readNextStreamNumber = ({ meta }: Tables): number =>
  Number(meta.get(NEXT_STREAM_NUMBER)?.toString() ?? '1');

export const putNextStreamNumber = ({ meta }: Tables, number: number): void => {
  void meta.put(NEXT_STREAM_NUMBER, Buffer.from(String(number)));
};
