import { open, type Database, type RootDatabase, type RootDatabaseOptionsWithPath } from 'lmdb';
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
 * system projections (`projection:<name>`), and the names of the streams in which the scavenger has
 * to look for events to remove (`outdated:<stream number>`).
 */

export type Table = Database<Buffer, Buffer>;

export interface Tables {
  readonly root: RootDatabase<Buffer, Buffer>;
  readonly log: Table;
  readonly index: Table;
  readonly streams: Table;
  readonly meta: Table;
}

/** The tables. Their environment can be replaced by another one while readers keep this object. */
export class ExchangeableTables implements Tables {
  #current: Tables;

  constructor(tables: Tables) {
    this.#current = tables;
  }

  get root(): Tables['root'] {
    return this.#current.root;
  }
  get log(): Table {
    return this.#current.log;
  }
  get index(): Table {
    return this.#current.index;
  }
  get streams(): Table {
    return this.#current.streams;
  }
  get meta(): Table {
    return this.#current.meta;
  }

  /** Replaces the tables and returns the previous ones. */
  exchange(next: Tables): Tables {
    const before = this.#current;
    this.#current = next;
    return before;
  }
}

const TABLES_MAX = 8;

/** The mode of the files: only the account of the server may read or write them. */
const FILE_MODE = 0o600;

/** lmdb-js accepts this option, but its type declaration does not have it. */
interface FilePermissions {
  readonly permissionsMode: number;
}

/**
 * Throws if there is no store. Code that only reads must call it first, because opening a store
 * creates missing files.
 */
export const assertStore = (dir: string): void => {
  if (!existsSync(join(dir, 'data.mdb'))) throw new Error(`${dir} has no event store.`);
};

export const openTables = (dir: string, options: { readOnly?: boolean } = {}): Tables => {
  const settings: RootDatabaseOptionsWithPath & FilePermissions = {
    path: dir,
    permissionsMode: FILE_MODE,
    // Without this option, lmdb-js takes a directory with a dot in its name for a file.
    noSubdir: false,
    readOnly: options.readOnly ?? false,
    maxDbs: TABLES_MAX,
    encoding: 'binary',
    keyEncoding: 'binary',
    // The promise of a commit resolves after LMDB has synced the data and the meta page.
    overlappingSync: false,
    // The committer groups appends itself, so nothing else may choose what shares a transaction.
    eventTurnBatching: false,
  };
  const root = open<Buffer, Buffer>(settings);
  const openTable = (name: string): Table =>
    root.openDB<Buffer, Buffer>({ name, encoding: 'binary', keyEncoding: 'binary' });
  return {
    root,
    log: openTable('log'),
    index: openTable('index'),
    streams: openTable('streams'),
    meta: openTable('meta'),
  };
};

/** lmdb-js accepts options here, but its type declaration of `put` has only versions. */
interface Appendable {
  put(key: Buffer, value: Buffer, options: { readonly append: true }): Promise<boolean>;
}

const APPEND = { append: true } as const;

/** Puts a value into a table, as a part of a commit. */
export const putInto = (table: Table, key: Buffer, value: Buffer): void => {
  ignoreFailure(table.put(key, value));
};

/** Removes a key from a table, as a part of a commit. */
export const removeFrom = (table: Table, key: Buffer): void => {
  ignoreFailure(table.remove(key));
};

/**
 * Appends a key that is greater than all others, so that pages are filled completely and nothing is
 * searched.
 */
export const appendTo = (table: Table, key: Buffer, value: Buffer): void => {
  ignoreFailure((table as unknown as Appendable).put(key, value, APPEND));
};

/**
 * Ignores the failure of a single change, because the commit reports it. An unhandled rejection
 * would end the process.
 */
const ignoreFailure = (change: Promise<boolean>): void => {
  change.catch(() => undefined);
};

/**
 * Returns the system error behind a failed commit, with its `errno` as `code`. lmdb-js hides it in
 * a promise that rejects with it.
 */
export const findCommitError = async (error: unknown): Promise<Error> => {
  const failure = error instanceof Error ? error : new Error(String(error));
  const { commitError } = failure as { commitError?: Promise<never> };
  if (commitError === undefined) return failure;
  return commitError.catch((cause: unknown) => (cause instanceof Error ? cause : failure));
};

export const createPositionKey = (position: number): Buffer => {
  const key = Buffer.allocUnsafe(6);
  key.writeUIntBE(position, 0, 6);
  return key;
};

export const readPosition = (bytes: Buffer): number => bytes.readUIntBE(0, 6);

export const createIndexKey = (streamNumber: number, revision: number): Buffer => {
  const key = Buffer.allocUnsafe(12);
  key.writeUIntBE(streamNumber, 0, 6);
  key.writeUIntBE(revision, 6, 6);
  return key;
};

export const indexKeyRevision = (key: Buffer): number => key.readUIntBE(6, 6);

/** The version of this layout. A store with another version is refused. */
const STORE_FORMAT = '1';

/** The directory has a store that this version of the program cannot read. */
export class UnknownFormatError extends Error {
  override readonly name = 'UnknownFormatError';
}

/** Writes the format of a new store. Throws if the store has another format or none. */
export const assertFormat = (dir: string, { meta, log }: Tables): void => {
  const format = meta.get(Buffer.from('format'))?.toString();
  if (format === STORE_FORMAT) return;
  if (format !== undefined) {
    throw new UnknownFormatError(
      `${dir} has event store format ${format}; this version reads ${STORE_FORMAT}.`,
    );
  }
  for (const _ of log.getKeys({ limit: 1 })) throw new Error(`${dir} has events but no format.`);
  meta.putSync(Buffer.from('format'), Buffer.from(STORE_FORMAT));
};

const NEXT_STREAM_NUMBER = Buffer.from('nextStreamNumber');

export const readNextStreamNumber = ({ meta }: Tables): number =>
  Number(meta.get(NEXT_STREAM_NUMBER)?.toString() ?? '1');

export const putNextStreamNumber = ({ meta }: Tables, number: number): void => {
  putInto(meta, NEXT_STREAM_NUMBER, Buffer.from(String(number)));
};
