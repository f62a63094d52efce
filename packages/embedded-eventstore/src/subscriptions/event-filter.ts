/** Returns true for events that a filtered read of $all sends. */
export type EventFilter = (streamName: string, eventType: string) => boolean;

export interface FilterExpression {
  readonly on: 'stream-name' | 'event-type';
  /** The prefixes of names. If there are any, a name must begin with one of them. */
  readonly prefixes: readonly string[];
  /** The expression that a part of the name must match, if there are no prefixes. */
  readonly regex: string;
}

/**
 * Compiles a regular expression. EventStoreDB uses .NET expressions, which differ from JavaScript's
 * in rare constructs. A match has no time limit and runs in the only thread of the server, so an
 * expression must not backtrack badly. Throws a SyntaxError for an invalid expression.
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

/** A filter with the distance between two checkpoints. */
export interface FilterOptions {
  readonly filter: EventFilter;
  readonly expression: FilterExpression;
  /** The number of considered events after which a page of a subscription that catches up ends. */
  readonly searchWindow: number;
  /** The number of considered events between two checkpoints. */
  readonly checkpointInterval: number;
}
