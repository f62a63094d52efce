import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ALL_SCOPES, type ScopeName } from '../pipeline/scopes';

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
  'replay:read': 'Reads replays.',
  'replay:write': 'Starts and cancels replays.',
  'test_helpers:write': 'Uses the test helpers. Test keys only.',
};

const createScopesTable = (): string =>
  [
    '| Scope | What it allows |',
    '|---|---|',
    ...ALL_SCOPES.map((scope) => `| \`${scope}\` | ${SPECIAL[scope] ?? describeScope(scope)} |`),
  ].join('\n');

const describeScope = (scope: ScopeName): string => {
  const [resource = '', mode] = scope.split(':');
  return `${mode === 'read' ? 'Reads' : 'Changes'} ${resource.replaceAll('_', ' ')}.`;
};
