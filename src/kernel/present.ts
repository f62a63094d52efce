/**
 * Returns a value that cannot be missing, although its type says that it can. Throws if it is missing
 * all the same, so that a mistake is seen where it happens and not where a default is used.
 */
export const requirePresent = <T>(value: T | null | undefined, name: string): T => {
  if (value === null || value === undefined) throw new Error(`${name} is missing`);
  return value;
};
