/** The suites that take many minutes: hundreds of kills, long soaks. */
module.exports = {
  ...require('./jest.config.cjs'),
  testMatch: ['**/*.long.spec.ts'],
  testPathIgnorePatterns: ['/node_modules/'],
};
