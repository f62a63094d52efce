interface Named {
  readonly id: string;
  readonly name: string;
}

/** Returns ids and names for a choice. A name that several objects have is followed by the id. */
export const createNameChoices = (
  all: readonly Named[],
): readonly (readonly [id: string, name: string])[] => {
  const names = all.map(({ name }) => name);
  return all.map(({ id, name }) => [
    id,
    names.indexOf(name) === names.lastIndexOf(name) ? name : `${name} (${id})`,
  ]);
};
