import { RequestParser } from './messages';

const int = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};
const message = (type: string, body = ''): Buffer =>
  Buffer.concat([Buffer.from(type), int(4 + body.length), Buffer.from(body)]);
const beginning = (code: number, body = ''): Buffer =>
  Buffer.concat([int(8 + body.length), int(code), Buffer.from(body)]);

const VERSION_3 = 196_608;
const START = beginning(VERSION_3, 'user\0postgres\0\0');
const PREPARED = [message('P', 'text'), message('B', 'values'), message('E'), message('S')];

describe('the requests of a PostgreSQL connection', () => {
  const begun = (): RequestParser => {
    const requests = new RequestParser();
    requests.parse(START);
    return requests;
  };

  it('begin with a message without a type, which an encryption request may precede', () => {
    const requests = new RequestParser();
    expect(requests.parse(beginning(80_877_103))).toEqual([{ kind: 'ssl' }]);
    expect(requests.parse(START)).toEqual([{ kind: 'work', messages: START }]);
  });

  it('contain all messages up to the one after which the client waits', () => {
    const bytes = Buffer.concat(PREPARED);
    expect(begun().parse(bytes)).toEqual([{ kind: 'work', messages: bytes }]);
  });

  it('are found however the bytes are split', () => {
    const bytes = Buffer.concat([...PREPARED, message('Q', 'select 1')]);
    for (let at = 1; at < bytes.length; at += 1) {
      const requests = begun();
      const found = [
        ...requests.parse(bytes.subarray(0, at)),
        ...requests.parse(bytes.subarray(at)),
      ];
      expect(found).toEqual([
        { kind: 'work', messages: Buffer.concat(PREPARED) },
        { kind: 'work', messages: message('Q', 'select 1') },
      ]);
    }
  });

  it('can end the connection or ask to cancel a running query', () => {
    expect(begun().parse(message('X'))).toEqual([{ kind: 'terminate' }]);
    expect(new RequestParser().parse(beginning(80_877_102, '12345678'))).toEqual([
      { kind: 'cancel' },
    ]);
  });
});
