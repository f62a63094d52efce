/** Returns the fields whose values differ from those before. */
export const pickChanges = <T extends object>(before: T, now: T): Partial<T> => {
  const old = new Map<string, unknown>(Object.entries(before));
  const changed = Object.entries(now).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(old.get(name)),
  );
  return Object.fromEntries(changed) as Partial<T>;
};
