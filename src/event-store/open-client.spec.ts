import { join } from 'node:path';
import { openClient } from './open-client';

const HERE = encodeURIComponent(__dirname);
const FILE = encodeURIComponent(join(__dirname, 'open-client.ts'));

describe('a connection string', () => {
  it.each([
    ['names a certificate authority that does not exist', 'tlsCAFile=/none', /tlsCAFile/],
    ['names a directory as its certificate authority', `tlsCAFile=${HERE}`, /EISDIR/],
    [
      'names a key that does not exist',
      `userCertFile=${FILE}&userKeyFile=/none`,
      /userKeyFile\): give/,
    ],
    ['names a certificate without its key', `userCertFile=${FILE}`, /together/],
    ['has a parameter with a wrong value', 'tls=maybe', /must be true or false/],
    ['has a % that begins no escape sequence', 'connectionName=%ZZ', /%25/],
  ])('is refused as wrong configuration if it %s', (_, query, sentence) => {
    const open = () => openClient(`esdb://ada:secret@127.0.0.1:2113?${query}`);
    expect(open).toThrow(expect.objectContaining({ name: 'ConfigError' }) as Error);
    expect(open).toThrow(sentence);
    expect(open).not.toThrow('secret');
  });

  it('is quoted in warnings of the client without its password', async () => {
    const warn = jest.spyOn(console, 'warn').mockReturnValue(undefined);
    const client = openClient('esdb://ada:s/ecret@127.0.0.1:2113?tls=false&colour=blue');
    await client.dispose();
    const said = warn.mock.calls.flat().join('\n');
    warn.mockRestore();
    expect(said).toContain('colour');
    expect(said).toContain('ada:***@127.0.0.1');
    expect(said).not.toContain('s/ecret');
  });
});
