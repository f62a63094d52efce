/**
 * The suites that take many minutes: hundreds of kills, long soaks, waits of a minute. The suites whose
 * properties npm test runs less often are here with their full number of runs.
 */
module.exports = {
  ...require('./jest.config.cjs'),
  testMatch: [
    '**/*.long.spec.ts',
    '**/bad-input.spec.ts',
    '**/cohort-matcher.spec.ts',
    '**/plan-change.spec.ts',
    '**/replay-selection.spec.ts',
    '**/transitions.spec.ts',
  ],
  testPathIgnorePatterns: ['/node_modules/'],
  globals: { keepsFilesInMemory: false, propertyShare: 1 },
  maxWorkers: 3,
};
