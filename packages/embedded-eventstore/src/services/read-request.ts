import { ReadReq } from '@eventstore/db-client/generated/streams_pb';
import { errors } from '../protocol/rpc-error';
import { assertStreamName } from './append-validation';
import { SUBSCRIPTION_PAGE_EVENTS } from '../base/limits';
import {
  compileFilter,
  type FilterExpression,
  type FilterOptions,
} from '../subscriptions/event-filter';

/** A revision or a position. A number above the safe integers means the end. */
export type From = number | 'start' | 'end';

export interface ReadRequest {
  readonly source: { readonly kind: 'stream'; readonly name: string } | { readonly kind: 'all' };
  readonly from: From;
  readonly backwards: boolean;
  readonly resolveLinks: boolean;
  /** The maximum number of events; undefined for a subscription, which has no end. */
  readonly countMax: number | undefined;
  readonly filter: FilterOptions | undefined;
  /** True if the client understands the messages with the first and last revision of a stream. */
  readonly wantsStreamPositions: boolean;
}

export const readRequest = (message: Buffer): ReadRequest => {
  const options = ReadReq.deserializeBinary(message).getOptions();
  if (!options) throw errors.invalidArgument('The options are missing.');
  const filter = options.getFilter();
  return {
    ...readSource(options),
    backwards: options.getReadDirection() === ReadReq.Options.ReadDirection.BACKWARDS,
    resolveLinks: options.getResolveLinks(),
    countMax: options.hasSubscription() ? undefined : Number(options.getCount()),
    filter: filter && readFilter(filter),
    wantsStreamPositions: (options.getControlOption()?.getCompatibility() ?? 0) >= 1,
  };
};

const readSource = (options: ReadReq.Options): Pick<ReadRequest, 'source' | 'from'> => {
  const stream = options.getStream();
  if (stream) {
    const name = Buffer.from(stream.getStreamIdentifier()?.getStreamName_asU8() ?? []).toString();
    assertStreamName(name);
    const from = stream.hasRevision() ? parseFrom(stream.getRevision()) : startOrEnd(stream);
    return { source: { kind: 'stream', name }, from };
  }
  const all = options.getAll();
  if (!all) throw errors.invalidArgument('Neither a stream nor $all is given.');
  const position = all.getPosition();
  const from = position ? parseFrom(position.getCommitPosition()) : startOrEnd(all);
  return { source: { kind: 'all' }, from };
};

const startOrEnd = (options: { hasEnd(): boolean }): From => (options.hasEnd() ? 'end' : 'start');

const parseFrom = (text: string): From => {
  const number = Number(text);
  return number > Number.MAX_SAFE_INTEGER ? 'end' : number;
};

interface FilterMessage {
  getStreamIdentifier(): ExpressionMessage | undefined;
  getEventType(): ExpressionMessage | undefined;
  getMax(): number;
  getCheckpointintervalmultiplier(): number;
}

interface ExpressionMessage {
  getRegex(): string;
  getPrefixList(): string[];
}

/**
 * The filter of a request. Reads of $all and persistent subscriptions to $all use the same message.
 */
export const readFilter = (message: FilterMessage): FilterOptions => {
  const byStream = message.getStreamIdentifier();
  const expression = byStream ?? message.getEventType();
  if (!expression) throw errors.invalidArgument('The filter is empty.');
  const window = message.getMax() || SUBSCRIPTION_PAGE_EVENTS;
  return filterOptions(
    {
      on: byStream ? 'stream-name' : 'event-type',
      prefixes: expression.getPrefixList(),
      regex: expression.getRegex(),
    },
    { searchWindow: window, checkpointsEvery: message.getCheckpointintervalmultiplier() },
  );
};

const filterOptions = (
  expression: FilterExpression,
  { searchWindow, checkpointsEvery }: { searchWindow: number; checkpointsEvery: number },
): FilterOptions => {
  const checkpointInterval = searchWindow * Math.max(1, checkpointsEvery);
  try {
    return { filter: compileFilter(expression), expression, searchWindow, checkpointInterval };
  } catch (error) {
    throw errors.invalidArgument(error instanceof Error ? error.message : String(error));
  }
};
