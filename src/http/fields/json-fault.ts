/** Describes where a text stops being JSON, without quoting it. Null if it is valid JSON. */
export const describeJsonFault = (text: string): string | null => {
  const at = findJsonFault(text);
  if (at === null) return null;
  const before = text.slice(0, at).split('\n');
  const place = `line ${before.length}, column ${(before.at(-1) ?? '').length + 1}`;
  return at < text.length ? place : `it ends too early, at ${place}`;
};

/** Returns the index of the first character that JSON does not allow; null if there is none. */
export const findJsonFault = (text: string): number | null => {
  const scanner = new JsonScanner(text);
  try {
    scanner.readDocument();
    return null;
  } catch (error) {
    if (error instanceof Fault) return error.at;
    throw error;
  }
};

class Fault extends Error {
  constructor(readonly at: number) {
    super();
  }
}

const SPACE = ' \t\n\r';
const ESCAPES = '"\\/bfnrt';
const FIRST_PRINTABLE = ' ';
const WORDS = ['true', 'false', 'null'];

/** A deeper level counts as the fault, because the recursion must end. No input may be so deep. */
const LEVELS_READ_MAX = 1_000;

/**
 * Reads a text by the grammar of RFC 8259. The parser of the engine does not always report the
 * position of a fault, and its message quotes the text.
 */
class JsonScanner {
  private at = 0;
  private level = 0;

  constructor(private readonly text: string) {}

  readDocument(): void {
    this.readValue();
    if (this.at < this.text.length) throw new Fault(this.at);
  }

  /** Reads a value and the space around it. */
  private readValue(): void {
    this.skipSpace();
    const first = this.text[this.at];
    if (first === '{')
      this.readItems('}', () => {
        this.readField();
      });
    else if (first === '[')
      this.readItems(']', () => {
        this.readValue();
      });
    else if (first === '"') this.readString();
    else if (first === '-' || isDigit(first)) this.readNumber();
    else this.readWord();
    this.skipSpace();
  }

  private readItems(end: string, readItem: () => void): void {
    if (this.level === LEVELS_READ_MAX) throw new Fault(this.at);
    this.level += 1;
    this.at += 1;
    this.skipSpace();
    if (!this.take(end)) {
      do readItem();
      while (this.take(','));
      this.expect(end);
    }
    this.level -= 1;
  }

  private readField(): void {
    this.skipSpace();
    this.readString();
    this.skipSpace();
    this.expect(':');
    this.readValue();
  }

  private readString(): void {
    this.expect('"');
    while (!this.take('"')) {
      const char = this.text[this.at];
      if (char === undefined || char < FIRST_PRINTABLE) throw new Fault(this.at);
      this.at += 1;
      if (char === '\\') this.readEscape();
    }
  }

  private readEscape(): void {
    if (!this.take('u')) {
      if (!ESCAPES.includes(this.text[this.at] ?? ' ')) throw new Fault(this.at);
      this.at += 1;
      return;
    }
    for (let digit = 0; digit < 4; digit += 1) {
      if (!/^[\da-f]$/i.test(this.text[this.at] ?? '')) throw new Fault(this.at);
      this.at += 1;
    }
  }

  private readNumber(): void {
    this.take('-');
    if (!this.take('0')) this.readDigits();
    if (this.take('.')) this.readDigits();
    if (!this.take('e') && !this.take('E')) return;
    if (!this.take('+')) this.take('-');
    this.readDigits();
  }

  private readDigits(): void {
    if (!isDigit(this.text[this.at])) throw new Fault(this.at);
    while (isDigit(this.text[this.at])) this.at += 1;
  }

  private readWord(): void {
    const word = WORDS.find((each) => this.text.startsWith(each, this.at));
    if (word === undefined) throw new Fault(this.at);
    this.at += word.length;
  }

  private skipSpace(): void {
    while (this.at < this.text.length && SPACE.includes(this.text[this.at] ?? '')) this.at += 1;
  }

  /** Reads a character if it is the next one. */
  private take(char: string): boolean {
    if (this.text[this.at] !== char) return false;
    this.at += 1;
    return true;
  }

  private expect(char: string): void {
    if (!this.take(char)) throw new Fault(this.at);
  }
}

const isDigit = (char: string | undefined): boolean =>
  char !== undefined && char >= '0' && char <= '9';
