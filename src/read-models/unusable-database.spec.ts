import { ConfigError } from '../config/config';
import { explainUnusableDatabase } from './unusable-database';

const withCode = (code: string, message = `refused ${code}`): Error =>
  Object.assign(new Error(message), { code });

describe('an SQL database that cannot be used at the start', () => {
  it.each([
    ['28P01', /^DATABASE_URL is refused by its server \(refused 28P01\): write the account/],
    ['28000', /^DATABASE_URL is refused by its server/],
    ['3D000', /^DATABASE_URL is refused by its server/],
    ['22023', /^DATABASE_URL is refused by its server/],
    ['42501', /^DATABASE_URL names an account that may not create tables/],
    ['SELF_SIGNED_CERT_IN_CHAIN', /^DATABASE_URL leads to a server whose certificate is not/],
    ['ERR_TLS_CERT_ALTNAME_INVALID', /^DATABASE_URL names a host that the certificate of its/],
  ])('is a wrong DATABASE_URL if the error is %s', (code, sentence) => {
    for (const error of [withCode(code), new Error('lost', { cause: withCode(code) })]) {
      expect(() => explainUnusableDatabase(error)).toThrow(ConfigError);
      expect(() => explainUnusableDatabase(error)).toThrow(
        expect.objectContaining({ problems: [expect.stringMatching(sentence)] }) as Error,
      );
    }
  });

  it('is a wrong DATABASE_URL if it asks for TLS that the server does not speak', () => {
    const error = new Error('The server does not support SSL connections');
    expect(() => explainUnusableDatabase(error)).toThrow(
      'DATABASE_URL asks for TLS and its server speaks none: write sslmode=disable',
    );
  });

  it('is a wrong DATABASE_URL if the server accepts the account over TLS only', () => {
    const error = withCode('28000', 'no pg_hba.conf entry for host "::1", no encryption');
    expect(() => explainUnusableDatabase(error)).toThrow(
      'DATABASE_URL connects without TLS, and its server refuses that',
    );
  });

  it('is not blamed on DATABASE_URL if the server cannot be reached', () => {
    const explain = () => explainUnusableDatabase(withCode('ECONNREFUSED'));
    expect(explain).toThrow('the SQL database cannot be used (DATABASE_URL, if it is set)');
    expect(explain).not.toThrow(ConfigError);
  });
});
