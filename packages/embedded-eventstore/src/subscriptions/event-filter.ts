/** Returns true for events that a filtered read of $all sends. */
export type EventFilter = (streamName: string, eventType: string) => boolean;

export interface FilterExpression {
  readonly on: 'stream-name' | 'event-type';
  /** The name begins with one of these … */
  readonly prefixes: readonly string[];
  /** … or, if there are none, this expression matches anywhere in the name. */
  readonly regex: string;
}

/**
 * EventStoreDB matches with .NET regular expressions; JavaScript's differ in rare constructs. There
 * is no time limit on a match, so an expression must not backtrack badly: it runs in the server's
 * only thread. Throws a SyntaxError for an expression that is none.
 */
export const compileFilter = ({ on, prefixes, regex }: FilterExpression): EventFilter => {
  const matches = prefixes.length > 0 ? matchPrefix(prefixes) : matchRegex(regex);
  return on === 'stream-name'
    ? (streamName) => matches(streamName)
    : (_streamName, eventType) => matches(eventType);
};

const matchPrefix =
  (prefixes: readonly string[]) =>
  (text: string): boolean =>
    prefixes.some((prefix) => text.startsWith(prefix));

const matchRegex = (source: string): ((text: string) => boolean) => {
  const regex = new RegExp(source);
  return (text) => regex.test(text);
};

/** A filter with how often its reader is told how far it has come. */
export interface FilterOptions {
  readonly filter: EventFilter;
  readonly expression: FilterExpression;
  /** A page of a subscription that catches up ends after this many considered events. */
  readonly searchWindow: number;
  /** Considered events between two checkpoints. */
  readonly checkpointInterval: number;
}
