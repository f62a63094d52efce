import { AddressGuard } from './address-guard';
import { LocalListeners } from './local-listeners';
import { DomainError } from '../../kernel/errors';
import { UrlPolicy } from './url-policy';

/** Returns `[code, param]` of the refusal; null if the URL is accepted. */
const refusalOf = async (url: string, allowInsecure: boolean): Promise<unknown> => {
  try {
    await new UrlPolicy(allowInsecure, new AddressGuard(allowInsecure)).check(url, 'live');
    return null;
  } catch (error) {
    if (error instanceof DomainError) return [error.code, error.facts.param];
    throw error;
  }
};

describe.each([true, false])('the URL of a destination (insecure URLs allowed: %s)', (insecure) => {
  it.each([
    'https://203.0.113.7/a b',
    'https://203.0.113.7/a?b= c',
    ' https://203.0.113.7/',
    'https://203.0.113.7/ ',
    'https://203.0.113.7/\r\nx-evil: 1',
    'https://203.0.113.7/\n',
    'ht\ttps://203.0.113.7/',
    'https://203.0.113.7/\u0001',
    'https://203.0.113.7/\u007f',
    'https://203.0.113.7/\u0085',
    'https://203.0.113.7/\u00a0',
    'https://203.0.113.7/\u2028',
    '\ufeffhttps://203.0.113.7/',
  ])('must not contain white space or control characters: %j', async (url) => {
    expect(await refusalOf(url, insecure)).toEqual(['parameter_invalid', 'url']);
  });

  it.each([
    'https://@203.0.113.7/',
    'https://u@203.0.113.7/',
    'https://203.0.113.7/#',
    'https://203.0.113.7/#a',
    'https://203.0.113.7:0/',
    'https:203.0.113.7',
    'https:/203.0.113.7',
    'https:\\\\203.0.113.7\\a',
    'https://.',
    'https://a..b/',
    '203.0.113.7',
    '/hook',
  ])('must be absolute and well-formed, without user name or fragment: %s', async (url) => {
    expect(await refusalOf(url, insecure)).toEqual(['parameter_invalid', 'url']);
  });

  it.each([
    ['3,000 letters', 'a'.repeat(3_000)],
    ['254 characters', `${'a.'.repeat(126)}aa`],
    ['64 letters between two dots', `${'a'.repeat(64)}.example.com`],
    ['64 letters before a dot at the end', `example.${'a'.repeat(64)}.`],
    ['60 letters that need more than 63 in ASCII', `${'ä'.repeat(60)}.example.com`],
  ])('must not have a host name that DNS does not allow: %s', async (_, host) => {
    expect(await refusalOf(`https://${host}/`, insecure)).toEqual(['parameter_invalid', 'url']);
  });

  it.each([
    ['63 letters between two dots', `${'a'.repeat(63)}.invalid`],
    ['253 characters and a dot at the end', `${'a.'.repeat(126)}a.`],
  ])('may have the longest host name that DNS allows: %s', async (_, host) => {
    expect(await refusalOf(`https://${host}/`, insecure)).toBeNull();
  });

  it.each(['https://8.8.8.8/a%20b?c=%0d%0a', 'https://8.8.8.8:8443/ä'])(
    'may contain encoded white space and control characters, and non-ASCII letters: %s',
    async (url) => {
      expect(await refusalOf(url, insecure)).toBeNull();
    },
  );
});

it.each([
  'https://localhost/',
  'https://localhost./',
  'https://LOCALHOST/',
  'https://foo.localhost/',
  'https://foo.localhost.:8443/hook',
  'https://127.0.0.1./',
])('the URL of a destination must not name the machine of the service: %s', async (url) => {
  expect(await refusalOf(url, false)).toEqual(['url_not_allowed', 'url']);
  expect(await refusalOf(url, true)).toBeNull();
});

it.each([
  ['http://localhost:3000/hook', 'test', true],
  ['https://192.168.1.7/hook', 'test', true],
  ['http://192.168.1.7/hook', 'live', false],
  ['https://localhost/hook', 'live', false],
  ['http://8.8.8.8/hook', 'test', false],
] as const)(
  'the refusal of %s in the %s environment names the way for local development: %s',
  async (url, environment, isNamed) => {
    const refused = new UrlPolicy(false, new AddressGuard(false)).check(url, environment);
    const message = await refused.catch((error: unknown) => (error as DomainError).message);
    expect(message).toMatch(/^url must /);
    expect(String(message).includes('npm run cli -- listen --forward <its URL>')).toBe(isNamed);
  },
);

it('a host is not looked up for a URL without TLS in a live environment', async () => {
  const guard = new AddressGuard(false);
  const lookUp = jest.spyOn(guard, 'allows');
  const refused = new UrlPolicy(false, guard).check('http://example.com/hook', 'live');
  await expect(refused).rejects.toMatchObject({ code: 'url_not_https' });
  expect(lookUp).not.toHaveBeenCalled();
});

it('the URL of a destination may have a host name that only resembles localhost', async () => {
  expect(await refusalOf('https://my-localhost.invalid./', false)).toBeNull();
});

describe('the URL of a listener of the command line', () => {
  const url = `http://127.0.0.1:4000/${'ab'.repeat(32)}`;
  const admitting = Object.assign(new LocalListeners(), { admits: (each: string) => each === url });
  const policy = new UrlPolicy(false, new AddressGuard(false), admitting);

  it('is accepted in a test environment after the listener was admitted', async () => {
    await expect(policy.check(url, 'test')).resolves.toBeUndefined();
  });

  it('is refused in a live environment; other local addresses are refused in both', async () => {
    await expect(policy.check(url, 'live')).rejects.toThrow('https://');
    await expect(policy.check(`${url}0`, 'test')).rejects.toThrow('https://');
  });
});
