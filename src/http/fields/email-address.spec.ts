import { isEmailAddress } from './email-address';

describe('an e-mail address', () => {
  it.each(['ada@example.com', '"ada lovelace"@example.com', 'ada+news@example.co.uk'])(
    'may be %s',
    (text) => {
      expect(isEmailAddress(text)).toBe(true);
    },
  );

  it.each([
    '"ada\r\nBcc: eve@example.com"@example.com',
    '"ada\n"@example.com',
    '"ada\u0001"@example.com',
    '"ada\u2028"@example.com',
    'ada@example.com, eve@example.com',
    'ada@example.com\r\nBcc: eve@example.com',
    '<ada@example.com>',
    'ada@[127.0.0.1]',
    'ada',
    '',
    null,
    1,
  ])('may not be %j', (value) => {
    expect(isEmailAddress(value)).toBe(false);
  });
});
