import { log } from './log';

type Level = 'warn' | 'error';

interface Gathered {
  level: Level;
  line: object;
  times: number;
  readonly subjects: Set<string>;
}

/** Names written out in one line; the line says how many more there are. */
const NAMED_MAX = 50;

/**
 * Writes the same warning about many subjects (destinations, subscriptions) as few lines: the first
 * one at once, everything that follows within `everyMs` as one line that counts and names them.
 */
export class GatheredWarnings {
  private readonly open = new Map<string, Gathered>();

  constructor(private readonly everyMs: number) {}

  warn(message: string, subject: string, line: object = {}, level: Level = 'warn'): void {
    const gathered = this.open.get(message);
    if (gathered !== undefined) {
      gathered.level = level;
      gathered.line = line;
      gathered.times += 1;
      gathered.subjects.add(subject);
      return;
    }
    log[level]({ subject, ...line }, message);
    this.gather(message, { level, line, times: 0, subjects: new Set() });
  }

  private gather(message: string, gathered: Gathered): void {
    this.open.set(message, gathered);
    setTimeout(() => {
      this.open.delete(message);
      if (gathered.times === 0) return;
      this.write(message, gathered);
      this.gather(message, { ...gathered, times: 0, subjects: new Set() });
    }, this.everyMs).unref();
  }

  private write(message: string, { level, line, times, subjects }: Gathered): void {
    const named = [...subjects].slice(0, NAMED_MAX);
    const more = subjects.size - named.length;
    log[level]({ times, subjects: named, ...(more > 0 ? { more } : {}), ...line }, message);
  }
}
