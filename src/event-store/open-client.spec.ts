import { openClient } from './open-client';

describe('a connection string', () => {
  it('is wrong configuration if the client refuses it, and its password is not shown', () => {
    const open = () => openClient('esdb://ada:secret@127.0.0.1:2113?tls=maybe');
    expect(open).toThrow(expect.objectContaining({ name: 'ConfigError' }) as Error);
    expect(open).toThrow(/EVENTSTORE_URL/);
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
