import type { RootDatabase } from 'lmdb';

export class DirectoryLockedError extends Error {
  override readonly name = 'DirectoryLockedError';

  constructor(
    readonly dir: string,
    readonly holderPid: number,
  ) {
    super(
      holderPid === process.pid
        ? `The event store directory ${dir} is already open in this process (pid ${holderPid}).`
        : `The event store directory ${dir} is locked by process ${holderPid}. ` +
            `Stop that process first, or use another directory.`,
    );
  }
}

/**
 * Ensures that one server uses a directory. The lock is LMDB's table of readers. A process that has
 * the environment open and has read from it is in this table. LMDB recognises the entries of dead
 * processes by file locks that end with the process (lmdb.h, `mdb_reader_check`). So a `kill -9`
 * leaves nothing behind, and process ids that are used again, as in containers, are harmless. The
 * check must run before the first read through `root`, because until then all entries belong to
 * other processes. If two processes start at the same moment, each may see the other, and both give
 * up.
 */
export const lockDirectory = (dir: string, root: RootDatabase<Buffer, Buffer>): void => {
  root.readerCheck();
  refuseOthers(dir, parseReaderPids(root.readerList()));
  root.get(Buffer.from('format'));
  refuseOthers(
    dir,
    parseReaderPids(root.readerList()).filter((pid) => pid !== process.pid),
  );
};

const refuseOthers = (dir: string, [holderPid]: readonly number[]): void => {
  if (holderPid !== undefined) throw new DirectoryLockedError(dir, holderPid);
};

/**
 * Reads the process ids from the table of readers. The table is text: a heading, and one line for
 * each reader that begins with its process id.
 */
const parseReaderPids = (readerList: string): number[] =>
  readerList.split('\n').flatMap((line) => {
    const pid = /^\s*(\d+)\s/.exec(line)?.[1];
    return pid === undefined ? [] : [Number(pid)];
  });
