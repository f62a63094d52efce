interface Asked<Question, Answer> {
  readonly question: Question;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
}

/** Questions in one query. */
const TOGETHER_MAX = 200;

/** Questions that come together, or while others are being answered, are asked together. */
export class Together<Question, Answer> {
  private waiting: Asked<Question, Answer>[] = [];
  private asking = false;

  /** `ask` answers in the order of the questions. */
  constructor(
    private readonly ask: (questions: readonly Question[]) => Promise<readonly Answer[]>,
  ) {}

  load(question: Question): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ question, resolve, reject });
      if (this.asking) return;
      this.asking = true;
      setImmediate(() => {
        void this.answerAll();
      });
    });
  }

  private async answerAll(): Promise<void> {
    while (this.waiting.length > 0) await this.answer(this.waiting.splice(0, TOGETHER_MAX));
    this.asking = false;
  }

  private async answer(asked: readonly Asked<Question, Answer>[]): Promise<void> {
    try {
      const answers = await this.ask(asked.map(({ question }) => question));
      for (const [i, { resolve }] of asked.entries()) resolve(answers[i] as Answer);
    } catch (error) {
      for (const { reject } of asked) reject(error);
    }
  }
}
