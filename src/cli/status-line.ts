/** The shortest time between two lines if the output is not a terminal. */
const PLAIN_INTERVAL_MS = 10_000;

interface Output {
  readonly isTTY?: boolean;
  readonly write: (text: string) => unknown;
}

interface StatusLineOptions {
  /** True for a command with `--json`, which prints nothing but JSON. */
  readonly isSilent: boolean;
  readonly output?: Output;
  readonly nowMs?: () => number;
}

/**
 * The progress of a command. On a terminal it is one line that is written over and over. In a file
 * or a pipe, a plain line is written at an interval if it says something new, and the last line at
 * the end.
 */
export class StatusLine {
  private readonly isSilent: boolean;
  private readonly output: Output;
  private readonly nowMs: () => number;
  private shown = '';
  private writtenText = '';
  private writtenAtMs: number;

  constructor({ isSilent, output = process.stderr, nowMs = Date.now }: StatusLineOptions) {
    this.isSilent = isSilent;
    this.output = output;
    this.nowMs = nowMs;
    this.writtenAtMs = nowMs();
  }

  /** Shows the text in place of the one before. Only a terminal shows the bar in front of it. */
  show(text: string, bar = ''): void {
    if (this.isTerminal) {
      this.draw(bar === '' ? text : `${bar} ${text}`);
      return;
    }
    this.shown = text;
    const isDue = this.nowMs() - this.writtenAtMs >= PLAIN_INTERVAL_MS;
    if (isDue && text !== this.writtenText) this.writePlain(text);
  }

  /** Writes a line that stays above the progress. */
  note(text: string): void {
    if (this.isTerminal) {
      const line = this.shown;
      this.draw(text);
      this.write('\n');
      this.shown = '';
      if (line !== '') this.draw(line);
    } else this.write(`${text}\n`);
  }

  /** Ends the line, so that other output follows below it. */
  end(): void {
    if (this.shown === '') return;
    if (this.isTerminal) this.write('\n');
    else if (this.shown !== this.writtenText) this.writePlain(this.shown);
    this.shown = '';
  }

  private get isTerminal(): boolean {
    return this.output.isTTY === true;
  }

  /** Spaces overwrite the end of an earlier, longer line. */
  private draw(line: string): void {
    if (line === this.shown) return;
    this.write(`\r${line.padEnd(this.shown.length)}`);
    this.shown = line;
  }

  private writePlain(text: string): void {
    this.writtenText = text;
    this.writtenAtMs = this.nowMs();
    this.write(`${text}\n`);
  }

  private write(text: string): void {
    if (!this.isSilent) this.output.write(text);
  }
}
