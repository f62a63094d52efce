import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * The file name of a message is `<event>.<destination>.eml`, and `.<name>.<process>` while it is
 * being written.
 */
const FILE_NAME = /^\.?(evt_[0-9a-z]+)\./;

/** Writes messages as files of a directory if no mail server is configured. */
export class MailFiles {
  constructor(private readonly directory: string) {}

  /** Writes a message atomically. A message that is sent again replaces its file. */
  async write(name: string, raw: Buffer): Promise<void> {
    await mkdir(this.directory, { recursive: true });
    const draft = join(this.directory, `.${name}.${process.pid}`);
    await writeFile(draft, raw, { mode: 0o600 });
    await rename(draft, join(this.directory, name));
  }

  /** Deletes the messages of events. The events are read only if there are files. */
  async deleteForEvents(eventsOf: () => AsyncIterable<string>): Promise<void> {
    const names = await readdir(this.directory).catch(returnEmptyIfMissing);
    if (names.length === 0) return;
    const events = new Set<string>();
    for await (const id of eventsOf()) events.add(id);
    for (const name of await this.findNames(events)) {
      await rm(join(this.directory, name), { force: true });
    }
  }

  /** Returns the names of the files of these events. */
  async findNames(events: ReadonlySet<string>): Promise<string[]> {
    const names = await readdir(this.directory).catch(returnEmptyIfMissing);
    return names.filter((name) => events.has(FILE_NAME.exec(name)?.[1] ?? ''));
  }
}

const returnEmptyIfMissing = (error: NodeJS.ErrnoException): string[] => {
  if (error.code === 'ENOENT') return [];
  throw error;
};
