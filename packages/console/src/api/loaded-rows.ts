/**
 * The loaded rows of a list, with an index of their ids. A page is added to a hundred thousand rows
 * without a look at each of them. Each change makes a new array, so that a component sees it.
 */
export class LoadedRows<T> {
  private shown: readonly T[] = [];
  private readonly positions = new Map<string, number>();

  get rows(): readonly T[] {
    return this.shown;
  }

  clear(): readonly T[] {
    this.positions.clear();
    return (this.shown = []);
  }

  /** Appends the rows of a page that are not loaded yet. */
  append(page: readonly T[], getId: (row: T) => string): readonly T[] {
    const added = this.omitLoaded(page, getId);
    const end = this.shown.length;
    added.forEach((row, index) => this.positions.set(getId(row), end + index));
    return (this.shown = [...this.shown, ...added]);
  }

  /** Puts the rows of a page that are not loaded yet above the others. */
  prepend(page: readonly T[], getId: (row: T) => string): readonly T[] {
    const all = [...this.omitLoaded(page, getId), ...this.shown];
    this.clear();
    return this.append(all, getId);
  }

  /** Replaces the loaded rows that the page has too. */
  refresh(page: readonly T[], getId: (row: T) => string): readonly T[] {
    const rows = [...this.shown];
    for (const row of page) {
      const position = this.positions.get(getId(row));
      if (position !== undefined) rows[position] = row;
    }
    return (this.shown = rows);
  }

  /** Returns the rows of a page that are not loaded yet. */
  omitLoaded(page: readonly T[], getId: (row: T) => string): readonly T[] {
    return page.filter((row) => !this.positions.has(getId(row)));
  }
}
