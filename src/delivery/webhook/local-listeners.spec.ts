import type { AttemptResult } from '../model/verdict';
import {
  signChallenge,
  CHALLENGE_HEADER,
  LISTENER_LEASE_MS,
  LISTENER_URL,
  LocalListeners,
} from './local-listeners';

const LISTENER = `http://127.0.0.1:4000/${'ab'.repeat(32)}`;
const KEY = 'a key of the operator';

type Send = Parameters<LocalListeners['verify']>[2];

const answering =
  (key: string, statusCode = 200): Send =>
  ({ headers }) =>
    Promise.resolve({
      statusCode,
      error: null,
      retryAfter: null,
      body: signChallenge(headers[CHALLENGE_HEADER] ?? '', key),
      durationMs: 1,
    } satisfies AttemptResult);

describe('local listeners', () => {
  it('are admitted once they have proved to hold the key, and no other address is', async () => {
    const listeners = new LocalListeners();
    expect(listeners.admits(LISTENER)).toBe(false);
    expect(await listeners.verify(LISTENER, KEY, answering(KEY))).toBe(true);
    expect(listeners.admits(LISTENER)).toBe(true);
    expect(listeners.admits(LISTENER.replace('4000', '4001'))).toBe(false);
    expect(listeners.admits(`${LISTENER}0`)).toBe(false);
  });

  it('are not admitted with another key, with another status or without a response', async () => {
    const listeners = new LocalListeners();
    const nobody: Send = () =>
      Promise.resolve({
        statusCode: null,
        error: 'connection_refused',
        retryAfter: null,
        body: '',
        durationMs: 1,
      });
    for (const send of [answering('another key'), answering(KEY, 404), nobody]) {
      expect(await listeners.verify(LISTENER, KEY, send)).toBe(false);
      expect(listeners.admits(LISTENER)).toBe(false);
    }
  });

  it('lose their lease when they do not prove themselves again', async () => {
    let nowMs = 0;
    const listeners = new LocalListeners(() => nowMs);
    await listeners.verify(LISTENER, KEY, answering(KEY));
    nowMs = LISTENER_LEASE_MS - 1;
    expect(listeners.admits(LISTENER)).toBe(true);
    nowMs = LISTENER_LEASE_MS;
    expect(listeners.admits(LISTENER)).toBe(false);
  });

  it('have an address of this machine whose path cannot be guessed', () => {
    const token = 'ab'.repeat(32);
    expect(LISTENER_URL.test(LISTENER)).toBe(true);
    for (const url of [
      `http://127.0.0.1:4000/`,
      `http://127.0.0.1/${token}`,
      `http://10.0.0.1:4000/${token}`,
      `http://localhost:4000/${token}`,
      `http://169.254.169.254:80/${token}`,
      `http://127.0.0.1:4000@example.com/${token}`,
      `http://127.0.0.1:4000/${token}/more`,
    ]) {
      expect([url, LISTENER_URL.test(url)]).toEqual([url, false]);
    }
  });
});
