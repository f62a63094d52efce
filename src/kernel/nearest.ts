/** Returns the candidate with the fewest changed letters; undefined if there is no candidate. */
export const findNearest = (text: string, candidates: readonly string[]): string | undefined => {
  const measured = candidates.map((name) => ({ name, distance: countChanges(text, name) }));
  return measured.sort((a, b) => a.distance - b.distance)[0]?.name;
};

/** Counts the letters to insert, remove or replace (Levenshtein distance). */
const countChanges = (from: string, to: string): number => {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (const [index, letter] of Array.from(from).entries()) {
    const next = [index + 1];
    for (const [column, other] of Array.from(to).entries()) {
      const replaced = (row[column] ?? 0) + (letter === other ? 0 : 1);
      next.push(Math.min(replaced, (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1));
    }
    row = next;
  }
  return row[to.length] ?? 0;
};
