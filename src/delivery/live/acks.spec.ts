import { setImmediate as nextTurn } from 'node:timers/promises';
import type { GroupMessage } from '../../event-store/groups';
import { Acks } from './acks';

const message = (name: string): GroupMessage => ({ name }) as unknown as GroupMessage;

/** What was acked over one connection, by batch. */
const connection = () => {
  const batches: (readonly GroupMessage[])[] = [];
  const ack = (messages: readonly GroupMessage[]): Promise<void> => {
    batches.push(messages);
    return Promise.resolve();
  };
  return { batches, ack };
};

describe('messages that wait for their outcome', () => {
  it('are acked together when they are journalled together', async () => {
    const acks = new Acks();
    const { batches, ack } = connection();
    for (const name of ['a', 'b', 'c']) acks.hold(name, { message: message(name), ack });
    acks.release('a');
    acks.release('b');
    await nextTurn();
    expect(batches).toEqual([[message('a'), message('b')]]);
  });

  it('are acked over the connection they came by last', async () => {
    const acks = new Acks();
    const [first, second] = [connection(), connection()];
    acks.hold('a', { message: message('old'), ack: first.ack });
    acks.hold('a', { message: message('new'), ack: second.ack });
    acks.release('a');
    await nextTurn();
    expect([first.batches, second.batches]).toEqual([[], [[message('new')]]]);
  });

  it('are forgotten with their connection, and held again when they come again', async () => {
    const acks = new Acks();
    const [first, second] = [connection(), connection()];
    for (const name of ['a', 'b']) acks.hold(name, { message: message(name), ack: first.ack });
    acks.forget();
    acks.hold('b', { message: message('b'), ack: second.ack });
    acks.release('a');
    acks.release('b');
    await nextTurn();
    expect([first.batches, second.batches]).toEqual([[], [[message('b')]]]);
  });
});
