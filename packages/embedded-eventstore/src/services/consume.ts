import type { ConnectedConsumer, Group } from '../persistent/group';
import type { NackAction } from '../persistent/group-state';
import { ALL, formatGroupKey } from '../persistent/group-streams';
import type { Groups } from '../persistent/groups';
import {
  NACK_PARK,
  NACK_SKIP,
  NACK_STOP,
  readConsumerMessage,
  type ConsumerMessage,
} from '../protocol/persistent-codec';
import { encodeConfirmation } from '../protocol/common-codec';
import { errors } from '../protocol/rpc-error';
import type { Call } from '../transport/call';
import type { Handler } from '../transport/dispatcher';
import { assertStreamName } from './append-validation';

/**
 * The service method PersistentSubscriptions.Read: a client is a consumer of a group until one of
 * the two ends the call.
 */
export const consume =
  (groups: Groups): Handler =>
  (call) => {
    let consumer: Consumer | undefined;
    call.receive(
      (bytes) => {
        const message = readConsumerMessage(bytes);
        if (!message) return;
        if (message.kind === 'options') consumer = connect(groups, call, message);
        else if (!consumer) throw errors.invalidArgument('The first message must have options.');
        else answer(consumer.group, message);
      },
      () => {
        call.end();
      },
    );
  };

interface Consumer {
  readonly group: Group;
  readonly connected: ConnectedConsumer;
}

type Options = Extract<ConsumerMessage, { kind: 'options' }>;

const connect = (groups: Groups, call: Call, options: Options): Consumer => {
  const key = { source: options.streamName ?? ALL, group: options.groupName };
  assertStreamName(key.source);
  const group = groups.get(key);
  if (!group.hasRoom) throw errors.groupFull(key);
  call.send(encodeConfirmation(formatGroupKey(key)));
  const connected = group.connect({
    from: call.peer,
    user: call.user ?? 'anonymous',
    connectionName: String(call.headers['connection-name'] ?? ''),
    slots: Math.max(1, options.bufferSize),
    send: (frame) => {
      call.send(frame);
    },
    drop: () => {
      call.fail(errors.groupDropped(key));
      group.disconnect(connected);
    },
  });
  call.callWhenClosed(() => {
    group.disconnect(connected);
  });
  return { group, connected };
};

const answer = (group: Group, message: Exclude<ConsumerMessage, { kind: 'options' }>): void => {
  if (message.kind === 'ack') group.ack(message.ids);
  else group.nack(message.ids, readNackAction(message.action), message.reason);
};

/**
 * Returns what a nack does. As on EventStoreDB, "unknown" retries the event and "stop" acknowledges
 * it.
 */
const readNackAction = (action: number): NackAction => {
  if (action === NACK_PARK) return 'park';
  return action === NACK_SKIP || action === NACK_STOP ? 'skip' : 'retry';
};
