import { waitUntilListening } from './listening';

const PLACE = { variable: 'PORT', host: '127.0.0.1', port: 3000 } as const;
const failure = (code: string): Promise<never> =>
  Promise.reject(Object.assign(new Error(`listen ${code}`), { code }));

describe('a server that cannot listen', () => {
  it('names a port that is in use and the command for another one', async () => {
    await expect(waitUntilListening(failure('EADDRINUSE'), PLACE)).rejects.toThrow(
      /port 3000 of 127\.0\.0\.1 is in use.*PORT=3001 npm start/,
    );
  });

  it('suggests another port if the port needs rights, and HOST if the address does not exist', async () => {
    await expect(waitUntilListening(failure('EACCES'), { ...PLACE, port: 80 })).rejects.toThrow(
      /PORT=3000 npm start/,
    );
    for (const code of ['EADDRNOTAVAIL', 'ENOTFOUND']) {
      await expect(waitUntilListening(failure(code), PLACE)).rejects.toMatchObject({
        name: 'ConfigError',
        problems: [expect.stringMatching(/^HOST is 127\.0\.0\.1, which is no address/)],
      });
    }
  });

  it('leaves other errors as they are', async () => {
    await expect(waitUntilListening(failure('EMFILE'), PLACE)).rejects.toThrow('listen EMFILE');
  });
});
