interface PendingQuestion<Question, Answer> {
  readonly question: Question;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
}

/** Maximum number of questions in one query. */
const BATCH_MAX = 200;

/**
 * Combines questions that arrive at the same time, or while others are being answered, into one
 * query.
 */
export class BatchLoader<Question, Answer> {
  private waiting: PendingQuestion<Question, Answer>[] = [];
  private asking = false;

  /** `ask` must return the answers in the order of the questions. */
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
    while (this.waiting.length > 0) await this.answer(this.waiting.splice(0, BATCH_MAX));
    this.asking = false;
  }

  private async answer(asked: readonly PendingQuestion<Question, Answer>[]): Promise<void> {
    try {
      const answers = await this.ask(asked.map(({ question }) => question));
      for (const [i, { resolve }] of asked.entries()) resolve(answers[i] as Answer);
    } catch (error) {
      for (const { reject } of asked) reject(error);
    }
  }
}
