import { ConfigError, loadConfig } from './config';

const problemsOf = (env: Record<string, string>): readonly string[] => {
  try {
    loadConfig(env);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
};

describe('configuration', () => {
  it('has the contract’s defaults', () => {
    expect(loadConfig({})).toMatchObject({
      host: '127.0.0.1',
      port: 3000,
      dataDir: './data',
      allowInsecureDestinations: false,
      retrySchedule: {
        live: [0, 5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400],
        test: [0, 30, 300],
      },
      replayRetrySchedule: [0, 30, 300],
      deliveryTimeoutMs: 15_000,
      connectTimeoutMs: 5_000,
      logLevel: 'info',
      roles: new Set(['api', 'projector', 'dispatcher', 'replayer', 'timers']),
      rateLimits: { live: 100, test: 25, metrics: 10 },
    });
  });

  it('names every wrong variable in one message', () => {
    const problems = problemsOf({
      PORT: '99999',
      EVENTSTORE_URL: 'http://localhost',
      DATABASE_URL: 'mysql://x',
      MASTER_KEY: 'short',
      OPERATOR_TOKEN: 'short',
      RETRY_SCHEDULE: '0,five',
      DELIVERY_TIMEOUT_MS: '-1',
      ALLOW_INSECURE_DESTINATIONS: 'yes',
      ROLES: 'api,unknown',
      LOG_LEVEL: 'loud',
    });
    expect(problems.map((problem) => problem.split(' ')[0]).sort()).toEqual([
      'ALLOW_INSECURE_DESTINATIONS',
      'DATABASE_URL',
      'DELIVERY_TIMEOUT_MS',
      'EVENTSTORE_URL',
      'LOG_LEVEL',
      'MASTER_KEY',
      'OPERATOR_TOKEN',
      'PORT',
      'RETRY_SCHEDULE',
      'ROLES',
    ]);
  });

  it('needs a master key for a store that outlives the machine', () => {
    const url = { EVENTSTORE_URL: 'esdb://localhost:2113?tls=false' };
    expect(problemsOf(url)).toEqual([expect.stringContaining('MASTER_KEY is required')]);
    const key = Buffer.alloc(32, 1).toString('base64');
    expect(problemsOf({ ...url, MASTER_KEY: key })).toEqual([]);
  });

  it('never repeats a secret', () => {
    expect(problemsOf({ MASTER_KEY: 'hunter2', OPERATOR_TOKEN: 'swordfish' }).join()).not.toMatch(
      /hunter2|swordfish/,
    );
  });
});
