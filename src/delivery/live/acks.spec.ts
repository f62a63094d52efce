import { setImmediate as nextTurn } from 'node:timers/promises';
import type { GroupMessage } from '../../event-store/groups';
import { PendingAcks } from './acks';

const message = (name: string): GroupMessage => ({ name }) as unknown as GroupMessage;

/** Records the batches that were acknowledged over one connection. */
const connection = () => {
  const batches: (readonly GroupMessage[])[] = [];
  const ack = (messages: readonly GroupMessage[]): Promise<void> => {
    batches.push(messages);
    return Promise.resolve();
  };
  return { batches, ack };
};

describe('pending acknowledgements', () => {
  it('are sent in one batch when their outcomes are journalled together', async () => {
    const acks = new PendingAcks();
    const { batches, ack } = connection();
    for (const name of ['a', 'b', 'c']) acks.add(name, { message: message(name), ack });
    acks.markJournalled('a');
    acks.markJournalled('b');
    await nextTurn();
    expect(batches).toEqual([[message('a'), message('b')]]);
  });

  it('use the connection over which the message arrived last', async () => {
    const acks = new PendingAcks();
    const [first, second] = [connection(), connection()];
    acks.add('a', { message: message('old'), ack: first.ack });
    acks.add('a', { message: message('new'), ack: second.ack });
    acks.markJournalled('a');
    await nextTurn();
    expect([first.batches, second.batches]).toEqual([[], [[message('new')]]]);
  });

  it('are discarded with their connection and kept again when the messages arrive again', async () => {
    const acks = new PendingAcks();
    const [first, second] = [connection(), connection()];
    for (const name of ['a', 'b']) acks.add(name, { message: message(name), ack: first.ack });
    acks.discardAll();
    acks.add('b', { message: message('b'), ack: second.ack });
    acks.markJournalled('a');
    acks.markJournalled('b');
    await nextTurn();
    expect([first.batches, second.batches]).toEqual([[], [[message('b')]]]);
  });
});
