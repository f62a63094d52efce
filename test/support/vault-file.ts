/** Returns a subscriber's wrapped data key as it is stored in the file of the event store. */
export const readWrappedKey = (log: Buffer, id: string): string => {
  const name = `vault-${id}`;
  for (let from = log.indexOf(name); from >= 0; from = log.indexOf(name, from + 1)) {
    const [, found] = /"wrapped":"([^"]+)"/.exec(log.toString('latin1', from, from + 600)) ?? [];
    if (found !== undefined) return found;
  }
  throw new Error('the log has no key of this subscriber');
};
