import { resolve } from 'node:path';
import { createStartUpLines } from './start-up-lines';

const createLines = (dataDir: string, hasOwnToken = false, servesApi = true): string =>
  createStartUpLines({
    url: 'http://127.0.0.1:4010',
    seconds: 2.34,
    dataDir,
    servesApi,
    hasOwnToken,
    operatorTokenFile: '/data/operator-token',
    notes: [],
  }).join('\n');

describe('the lines after a start', () => {
  it('name the port that the service listens on', () => {
    expect(createLines('./data')).toContain('ready in 2.3 s at http://127.0.0.1:4010');
    expect(createLines('./data')).toContain('http://127.0.0.1:4010/docs');
  });

  it('print a command without variables for the default data directory', () => {
    expect(createLines('./data')).toContain('\n  npm run cli -- quickstart');
    expect(createLines(resolve('data'))).toContain('\n  npm run cli -- quickstart');
  });

  it('name another data directory in the command, quoted for the shell', () => {
    expect(createLines('/srv/events')).toContain(
      '\n  DATA_DIR=/srv/events npm run cli -- quickstart',
    );
    expect(createLines("/srv/Ada's")).toContain(
      String.raw`DATA_DIR='/srv/Ada'\''s' npm run cli --`,
    );
  });

  it('announce no pages in a process that does not serve the API', () => {
    const lines = createLines('./data', false, false);
    expect(lines).toContain('ROLES has no "api"');
    expect(lines).not.toMatch(/\/docs|\/console|Next/);
  });

  it('say that the commands need OPERATOR_TOKEN if it was given', () => {
    expect(createLines('./data', true)).toContain('with OPERATOR_TOKEN set there too');
  });
});
