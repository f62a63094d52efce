import { ConfigError } from '../config/config';
import { explainUnusableDatabase } from './unusable-database';

const withCode = (code: string): Error => Object.assign(new Error(`refused ${code}`), { code });

describe('an SQL database that cannot be used at the start', () => {
  it.each(['28P01', '28000', '3D000'])(
    'is a wrong DATABASE_URL if its server answers with %s',
    (code) => {
      for (const error of [withCode(code), new Error('lost', { cause: withCode(code) })]) {
        expect(() => explainUnusableDatabase(error)).toThrow(ConfigError);
        expect(() => explainUnusableDatabase(error)).toThrow(
          `DATABASE_URL is refused by its server: refused ${code}`,
        );
      }
    },
  );

  it('is no wrong configuration if the server cannot be reached', () => {
    expect(() => explainUnusableDatabase(withCode('ECONNREFUSED'))).toThrow(
      'the SQL database cannot be used',
    );
  });
});
