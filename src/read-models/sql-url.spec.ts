import { Client } from 'pg';
import { requireFullTlsCheck } from './sql-url';

const URL = 'postgres://ada@db.example/service?sslmode=';

describe('the address of the SQL database', () => {
  let warn: jest.SpyInstance;
  beforeEach(() => {
    warn = jest.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
  });
  afterEach(() => {
    warn.mockRestore();
  });

  const readTls = (url: string): unknown =>
    (new Client({ connectionString: requireFullTlsCheck(url) }) as unknown as { ssl: unknown }).ssl;

  it.each([
    ['disable', false],
    ['prefer', {}],
    ['require', {}],
    ['verify-ca', {}],
    ['verify-full', {}],
    ['no-verify', { rejectUnauthorized: false }],
    ['require&uselibpqcompat=true', { rejectUnauthorized: false }],
    ['require&connect_timeout=5', {}],
  ])('with sslmode=%s gives the driver one meaning, without a warning', (mode, tls) => {
    expect(readTls(URL + mode)).toEqual(tls);
    expect(warn).not.toHaveBeenCalled();
  });

  it('would have the driver warn if the mode were left as it is', () => {
    new Client({ connectionString: `${URL}require` });
    expect(String(warn.mock.calls)).toContain('SECURITY WARNING');
  });

  it('keeps every other part', () => {
    const url = 'postgres://ada:sslmode=require@/service?host=/run&application_name=sslmode';
    expect(requireFullTlsCheck(url)).toBe(url);
  });
});
