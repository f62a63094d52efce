const { readFileSync } = require('node:fs');

// One compiler for run and test: the same .swcrc, without its exclusion of specs.
const { exclude: _specs, ...swc } = JSON.parse(readFileSync(`${__dirname}/.swcrc`, 'utf8'));

/** @type {import('jest').Config} */
module.exports = {
  testEnvironment: '<rootDir>/test/support/environment.ts',
  // Packages of this repository are tested from their sources; their builds need not be there.
  testEnvironmentOptions: {
    customExportConditions: ['@subscription-event-service/source', 'node', 'node-addons'],
  },
  modulePathIgnorePatterns: ['<rootDir>/packages/[^/]+/dist/'],
  roots: ['<rootDir>/src', '<rootDir>/test', '<rootDir>/packages'],
  testMatch: ['**/*.spec.ts'],
  // What takes many minutes: npm run test:long
  testPathIgnorePatterns: ['/node_modules/', '\\.long\\.spec\\.ts$'],
  transform: { '\\.ts$': ['@swc/jest', { ...swc, swcrc: false }] },
  // The long suites override these: they use the disk, and run each property as often as it says.
  globals: { keepsFilesInMemory: true, propertyShare: 0.2 },
  globalSetup: '<rootDir>/test/support/set-up.ts',
  globalTeardown: '<rootDir>/test/support/tear-down.ts',
  setupFiles: ['reflect-metadata'],
  testTimeout: 60_000,
  // Suites wait for about a third of their time, so two processors serve three workers.
  maxWorkers: 3,
};
