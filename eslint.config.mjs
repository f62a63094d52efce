import eslint from '@eslint/js';
import prettier from 'eslint-config-prettier';
import tseslint from 'typescript-eslint';

/** Nest's in-process bus loses events on a crash (style.md, "ages well, rots"); the log is the only bus. */
const bannedFromCqrs = ['EventBus', 'Saga', 'AggregateRoot', 'EventPublisher', 'EventsHandler'];
const bannedFromNest = ['forwardRef', 'ModuleRef'];

export default tseslint.config(
  { ignores: ['**/dist', '**/generated', 'data', 'coverage', '**/node_modules'] },
  eslint.configs.recommended,
  {
    files: ['**/*.ts'],
    extends: [tseslint.configs.strictTypeChecked, tseslint.configs.stylisticTypeChecked],
    languageOptions: {
      parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname },
    },
    rules: {
      '@typescript-eslint/consistent-type-definitions': 'off',
      '@typescript-eslint/consistent-type-imports': ['error', { disallowTypeAnnotations: false }],
      '@typescript-eslint/explicit-module-boundary-types': 'error',
      '@typescript-eslint/no-extraneous-class': ['error', { allowWithDecorator: true }],
      // Aborted signals and flags set by listeners change between two lines; the rule cannot see it.
      '@typescript-eslint/no-unnecessary-condition': 'off',
      // Options and DTOs are classes only because Nest reads them at run time.
      '@typescript-eslint/no-unsafe-class-instance-assignment': 'off',
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': 'error',
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      '@typescript-eslint/no-unused-vars': [
        'error',
        { argsIgnorePattern: '^_', varsIgnorePattern: '^_' },
      ],
      'max-lines': ['error', { max: 400, skipBlankLines: true, skipComments: true }],
      'max-lines-per-function': ['error', { max: 70, skipBlankLines: true, skipComments: true }],
      'max-params': ['error', 5],
      'no-restricted-imports': [
        'error',
        {
          paths: [
            {
              name: '@nestjs/cqrs',
              importNames: bannedFromCqrs,
              message: 'The event store is the only bus.',
            },
            {
              name: '@nestjs/common',
              importNames: bannedFromNest,
              message: 'Modules form a tree.',
            },
            { name: '@nestjs/core', importNames: ['ModuleRef'], message: 'Inject what you need.' },
          ],
        },
      ],
      'no-restricted-syntax': [
        'error',
        { selector: 'ExportAllDeclaration', message: 'No barrels.' },
        {
          selector:
            "CallExpression[callee.property.name='on'] > ArrowFunctionExpression[async=true]",
          message: 'An async listener is neither awaited nor ordered: pull instead.',
        },
      ],
    },
  },
  {
    // Nest reads constructor parameter types at run time, so these imports must stay values.
    files: ['src/**/*.ts'],
    rules: { '@typescript-eslint/consistent-type-imports': 'off' },
  },
  {
    files: ['packages/console/**/*.tsx'],
    extends: [tseslint.configs.strict, tseslint.configs.stylistic],
    rules: {
      '@typescript-eslint/consistent-type-definitions': 'off',
      '@typescript-eslint/no-unused-vars': [
        'error',
        { argsIgnorePattern: '^_', varsIgnorePattern: '^_' },
      ],
      'max-lines': ['error', { max: 400, skipBlankLines: true, skipComments: true }],
    },
  },
  // The entry of a published package says all that it exports.
  { files: ['packages/sdk/src/index.ts'], rules: { 'no-restricted-syntax': 'off' } },
  {
    files: ['**/*.spec.ts', '**/test/**/*.ts'],
    rules: {
      'max-lines-per-function': 'off',
      '@typescript-eslint/explicit-module-boundary-types': 'off',
      '@typescript-eslint/no-non-null-assertion': 'off',
    },
  },
  {
    files: ['**/*.cjs', '**/*.mjs'],
    languageOptions: {
      globals: {
        module: 'writable',
        require: 'readonly',
        __dirname: 'readonly',
        process: 'readonly',
        console: 'readonly',
        URL: 'readonly',
      },
      sourceType: 'module',
    },
    rules: { 'no-unused-vars': ['error', { varsIgnorePattern: '^_' }] },
  },
  prettier,
);
