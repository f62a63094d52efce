/** The suites that take many minutes: hundreds of kills, long soaks, waits of a minute. */
module.exports = {
  ...require('./jest.config.cjs'),
  testMatch: ['**/*.long.spec.ts'],
  testPathIgnorePatterns: ['/node_modules/'],
  globals: { keepsFilesInMemory: false },
  maxWorkers: 2,
};
