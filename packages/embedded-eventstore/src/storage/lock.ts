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
            `Connect to that server instead, or stop it first.`,
    );
  }
}

/**
 * One server per directory. LMDB's reader table is the lock: whoever has the environment open and
 * has read from it stands in the table, and LMDB recognises the entries of dead processes by file
 * locks that end with the process (lmdb.h, `mdb_reader_check`). So nothing is left behind by a
 * kill -9, and process ids that are used again, as in containers, are no problem.
 *
 * Must run before the first read through `root`: until then every entry belongs to somebody else.
 * Two processes that start in the same instant may both see the other and both give up.
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

/** The table as text: a heading, then one line per reader that begins with its process id. */
const parseReaderPids = (readerList: string): number[] =>
  readerList.split('\n').flatMap((line) => {
    const pid = /^\s*(\d+)\s/.exec(line)?.[1];
    return pid === undefined ? [] : [Number(pid)];
  });
