import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ALL_SCOPES, isScopeOf, SCOPE_PRESETS, type ScopeName } from '../pipeline/scopes';

/**
 * Returns the chapters of the reference that come before its operations. Their commands call the
 * service at `address`.
 */
export const readChapters = (address: string): string =>
  readFileSync(join(__dirname, 'chapters.md'), 'utf8')
    .replace('{{scopes}}', createScopesTable())
    .replace('{{address}}', () => address);

const SPECIAL: Partial<Record<ScopeName, string>> = {
  'pii:read': 'Shows e-mail addresses and free text; without it they are left out.',
  'motions:trigger': 'Triggers motions and reports their outcomes.',
  'refunds:write': 'Refunds payments.',
  'test_helpers:write': 'Uses the test helpers. Test keys only.',
};

const createScopesTable = (): string =>
  [
    '| Scope | What it allows | In `read_only` |',
    '|---|---|---|',
    ...ALL_SCOPES.map(
      (scope) =>
        `| \`${scope}\` | ${SPECIAL[scope] ?? describeScope(scope)} | ${SCOPE_PRESETS.read_only.includes(scope) && isScopeOf(scope, 'live') ? 'yes' : ''} |`,
    ),
  ].join('\n');

const describeScope = (scope: ScopeName): string => {
  const [resource = '', mode] = scope.split(':');
  return `${mode === 'read' ? 'Reads' : 'Changes'} ${resource.replaceAll('_', ' ')}.`;
};
