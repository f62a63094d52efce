/** Folders that know nothing of what the service does for its users. */
const machinery =
  '^src/(kernel|ops|config|event-store|read-models|projections|delivery|directories|replay|http)/';
const spec = '\\.spec\\.ts$';

/** Import directions (ARCHITECTURE.md). Each rule has been seen red once: test/tidy.spec.ts proves it. */
module.exports = {
  forbidden: [
    {
      name: 'no-cycles',
      comment: 'a cycle crashes at start-up under SWC + decorator metadata',
      severity: 'error',
      from: { path: '^(src|packages)/' },
      to: { circular: true },
    },
    {
      name: 'domain-is-pure',
      comment:
        'no Nest, no I/O, no clock, no node: in the domain; TypeBox only describes data, immutable only holds it',
      severity: 'error',
      from: { path: '^src/domain/', pathNot: spec },
      to: {
        pathNot: [
          '^src/(domain|kernel)/',
          'node_modules/@sinclair/typebox/',
          'node_modules/immutable/',
        ],
      },
    },
    {
      name: 'kernel-stands-alone',
      severity: 'error',
      from: { path: '^src/kernel/', pathNot: spec },
      to: { pathNot: '^src/kernel/' },
    },
    {
      name: 'ops-stands-on-the-kernel',
      severity: 'error',
      from: { path: '^src/ops/', pathNot: spec },
      to: { path: '^src/', pathNot: '^src/(ops|kernel)/' },
    },
    {
      name: 'feature-imports-no-feature',
      comment: 'what two features need is a decision (domain/), a directory or a service',
      severity: 'error',
      from: { path: '^src/features/([^/]+)/' },
      to: { path: '^src/features/', pathNot: '^src/features/$1/' },
    },
    {
      name: 'feature-imports-no-wiring',
      severity: 'error',
      from: { path: '^src/(features|services)/', pathNot: spec },
      to: { path: '^src/(wiring|cli|demo)/' },
    },
    {
      name: 'service-imports-no-feature',
      severity: 'error',
      from: { path: '^src/services/', pathNot: spec },
      to: { path: '^src/features/' },
    },
    {
      name: 'machinery-knows-no-feature',
      severity: 'error',
      from: { path: machinery, pathNot: spec },
      to: { path: '^src/(features|services|wiring|cli|demo)/' },
    },
    {
      name: 'one-door-to-the-store',
      comment: "the embedded server may use the client's generated messages, nothing else of it",
      severity: 'error',
      from: { pathNot: '^(src/event-store|packages/embedded-eventstore|test)/' },
      to: { path: 'node_modules/@eventstore/' },
    },
    {
      name: 'embedded-store-uses-messages-only',
      severity: 'error',
      from: {
        path: '^packages/embedded-eventstore/src/',
        pathNot: '^packages/embedded-eventstore/src/export',
      },
      to: {
        path: 'node_modules/@eventstore/',
        pathNot: 'node_modules/@eventstore/db-client/generated/',
      },
    },
    {
      name: 'package-stands-alone',
      comment: 'a package knows nothing of the service, and of other packages their entry only',
      severity: 'error',
      from: { path: '^packages/' },
      to: { path: '^(src|test)/' },
    },
    {
      name: 'package-by-its-entry',
      severity: 'error',
      from: { path: '^(src|test)/' },
      to: {
        path: '^packages/[^/]+/src/',
        pathNot: '^packages/[^/]+/src/(start|index|rights)\\.ts$',
      },
    },
    {
      name: 'only-wiring-embeds',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/(wiring/environment/stores\\.ts|embedded-sql/)' },
      to: { path: '^(src/embedded-sql|packages/embedded-eventstore)/' },
    },
    {
      name: 'http-leaves-by-sender',
      severity: 'error',
      from: { pathNot: '^src/(delivery/webhook/sender|cli/)|^test/' },
      to: { path: 'node_modules/(axios|undici)/' },
    },
    {
      name: 'no-orphans',
      severity: 'error',
      from: { orphan: true, pathNot: ['\\.d\\.ts$', spec, '(^|/)test/'] },
      to: {},
    },
    {
      name: 'declared-dependencies-only',
      severity: 'error',
      from: { path: '^(src|packages/[^/]+/src)/', pathNot: spec },
      to: { dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown', 'unknown'] },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^packages/[^/]+/dist/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['@subscription-event-service/source', 'require', 'node', 'default', 'types'],
    },
  },
};
