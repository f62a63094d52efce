/** A page of a list, as the service returns it. */
export interface ListBody<Item> {
  readonly data: readonly Item[];
  readonly has_more: boolean;
  readonly next_cursor: string | null;
  readonly previous_cursor: string | null;
}

export interface Cursors {
  readonly starting_after?: string;
  readonly ending_before?: string;
}

type Load<Item> = (cursors?: Cursors) => Promise<ListBody<Item>>;

/** One page of a list. */
export class Page<Item> {
  readonly data: readonly Item[];
  readonly hasMore: boolean;
  readonly nextCursor: string | null;
  readonly previousCursor: string | null;

  // Not in the JSON of a page.
  readonly #load: Load<Item>;
  readonly #backwards: boolean;

  constructor(body: ListBody<Item>, load: Load<Item>, backwards: boolean) {
    this.#load = load;
    this.#backwards = backwards;
    this.data = body.data;
    this.hasMore = body.has_more;
    this.nextCursor = body.next_cursor;
    this.previousCursor = body.previous_cursor;
  }

  /** Reads the next page in the order of the list; null after the last page. */
  async next(): Promise<Page<Item> | null> {
    const cursor = this.#backwards ? this.previousCursor : this.nextCursor;
    if (!this.hasMore || cursor === null) return null;
    const cursors = this.#backwards ? { ending_before: cursor } : { starting_after: cursor };
    return new Page(await this.#load(cursors), this.#load, this.#backwards);
  }
}

/**
 * A request for a list: `await` it for the first page, or iterate over all objects with `for
 * await`. Nothing is sent before.
 */
export class List<Item>
  implements Pick<Promise<Page<Item>>, 'then' | 'catch'>, AsyncIterable<Item>
{
  constructor(
    private readonly load: Load<Item>,
    private readonly first: Cursors,
  ) {}

  then<Value = Page<Item>, Failure = never>(
    onPage?: ((page: Page<Item>) => Value | PromiseLike<Value>) | null,
    onError?: ((error: unknown) => Failure | PromiseLike<Failure>) | null,
  ): Promise<Value | Failure> {
    return this.page().then(onPage, onError);
  }

  catch<Failure = never>(
    onError?: ((error: unknown) => Failure | PromiseLike<Failure>) | null,
  ): Promise<Page<Item> | Failure> {
    return this.then(null, onError);
  }

  /** Page by page. */
  async *pages(): AsyncGenerator<Page<Item>, void, undefined> {
    for (let page: Page<Item> | null = await this.page(); page !== null; page = await page.next()) {
      yield page;
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    for await (const page of this.pages()) yield* page.data;
  }

  private async page(): Promise<Page<Item>> {
    return new Page(await this.load(), this.load, this.first.ending_before !== undefined);
  }
}
