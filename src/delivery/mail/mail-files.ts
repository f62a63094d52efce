import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Of an event's message, `<event>.<destination>.eml`; `.<name>.<process>` while it is written. */
const EVENT_OF = /^\.?(evt_[0-9a-z]+)\./;

/** Messages as files of a directory, where no mail server is set. */
export class MailFiles {
  constructor(private readonly directory: string) {}

  /** Whole or not at all; a message that is sent again replaces its file. */
  async keep(name: string, raw: Buffer): Promise<void> {
    await mkdir(this.directory, { recursive: true });
    const draft = join(this.directory, `.${name}.${process.pid}`);
    await writeFile(draft, raw, { mode: 0o600 });
    await rename(draft, join(this.directory, name));
  }

  /** Deletes what tells of the events, which are looked up only where there are files at all. */
  async forget(eventsOf: () => AsyncIterable<string>): Promise<void> {
    const names = await readdir(this.directory).catch(noneThere);
    if (names.length === 0) return;
    const events = new Set<string>();
    for await (const id of eventsOf()) events.add(id);
    for (const name of await this.namesOf(events)) {
      await rm(join(this.directory, name), { force: true });
    }
  }

  /** The files that tell of these events. */
  async namesOf(events: ReadonlySet<string>): Promise<string[]> {
    const names = await readdir(this.directory).catch(noneThere);
    return names.filter((name) => events.has(EVENT_OF.exec(name)?.[1] ?? ''));
  }
}

const noneThere = (error: NodeJS.ErrnoException): string[] => {
  if (error.code === 'ENOENT') return [];
  throw error;
};
