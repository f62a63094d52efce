const pure = '\\.(events|decider)\\.ts$';
const shared = '\\.(events|decider|port|directory|module)\\.ts$';
const machinery = '^src/(event-store|projections|delivery|replay|read-models|http|ops)/';

/** Import directions (src/ARCHITECTURE.md). Each rule has been seen red once: test/tidy.spec.ts proves it. */
module.exports = {
  forbidden: [
    {
      name: 'no-cycles',
      comment: 'a cycle crashes at start-up under SWC + decorator metadata',
      severity: 'error',
      from: { path: '^src' },
      to: { circular: true },
    },
    {
      name: 'deciders-are-pure',
      comment:
        'no Nest, no I/O, no clock, no node: in decide/evolve; TypeBox only describes data, immutable only holds it',
      severity: 'error',
      from: { path: pure },
      to: {
        pathNot: [
          pure,
          '^src/kernel/',
          'node_modules/@sinclair/typebox/',
          'node_modules/immutable/',
        ],
      },
    },
    {
      name: 'kernel-stands-alone',
      severity: 'error',
      from: { path: '^src/kernel/', pathNot: '\\.spec\\.ts$' },
      to: { pathNot: '^src/kernel/' },
    },
    {
      name: 'slices-meet-in-facts',
      comment:
        'features never call each other: they share events, decisions, ports and directories',
      severity: 'error',
      from: { path: '^src/features/([^/]+)/' },
      to: { path: '^src/features/[^/]+/', pathNot: ['^src/features/$1/', shared] },
    },
    {
      name: 'machinery-knows-no-feature',
      severity: 'error',
      from: { path: machinery, pathNot: '\\.spec\\.ts$' },
      to: { path: '^src/features/' },
    },
    {
      name: 'one-door-to-the-store',
      comment: "the embedded server may use the client's generated messages, nothing else of it",
      severity: 'error',
      from: { pathNot: '^(src/event-store|src/embedded-store|test)/' },
      to: { path: 'node_modules/@eventstore/' },
    },
    {
      name: 'embedded-store-uses-messages-only',
      severity: 'error',
      from: { path: '^src/embedded-store/', pathNot: '^src/embedded-store/export' },
      to: {
        path: 'node_modules/@eventstore/',
        pathNot: 'node_modules/@eventstore/db-client/generated/',
      },
    },
    {
      name: 'embedded-store-is-separate',
      severity: 'error',
      from: { path: '^src/embedded-store/' },
      to: { path: '^src/', pathNot: '^src/(embedded-store|kernel)/' },
    },
    {
      name: 'only-main-embeds',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/(stores\\.ts|embedded-store/|embedded-sql/)' },
      to: { path: '^src/(embedded-store|embedded-sql)/' },
    },
    {
      name: 'embedded-store-by-its-start-function',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/embedded-store/' },
      to: { path: '^src/embedded-store/', pathNot: '^src/embedded-store/start\\.ts$' },
    },
    {
      name: 'http-leaves-by-sender',
      severity: 'error',
      from: { pathNot: '^src/(delivery/sender|cli/)|^test/' },
      to: { path: 'node_modules/(axios|undici)/' },
    },
    {
      name: 'no-orphans',
      severity: 'error',
      from: { orphan: true, pathNot: ['\\.d\\.ts$', '\\.spec\\.ts$', '^test/'] },
      to: {},
    },
    {
      name: 'declared-dependencies-only',
      severity: 'error',
      from: { path: '^src/', pathNot: '\\.spec\\.ts$' },
      to: { dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown', 'unknown'] },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['require', 'node', 'default', 'types'],
    },
  },
};
