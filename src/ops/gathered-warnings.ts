import { log } from './log';

type Level = 'warn' | 'error';

interface GatheredWarning {
  level: Level;
  line: object;
  times: number;
  readonly subjects: Set<string>;
}

/** Maximum of subjects named in one line. The line also says how many more there are. */
const NAMED_MAX = 50;

/**
 * Combines equal warnings about many subjects (destinations, subscriptions). The first one is
 * written at once. All that follow within `everyMs` become one line with their number and subjects.
 */
export class GatheredWarnings {
  private readonly open = new Map<string, GatheredWarning>();

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

  private gather(message: string, gathered: GatheredWarning): void {
    this.open.set(message, gathered);
    setTimeout(() => {
      this.open.delete(message);
      if (gathered.times === 0) return;
      this.write(message, gathered);
      this.gather(message, { ...gathered, times: 0, subjects: new Set() });
    }, this.everyMs).unref();
  }

  private write(message: string, { level, line, times, subjects }: GatheredWarning): void {
    const named = [...subjects].slice(0, NAMED_MAX);
    const more = subjects.size - named.length;
    log[level]({ times, subjects: named, ...(more > 0 ? { more } : {}), ...line }, message);
  }
}
