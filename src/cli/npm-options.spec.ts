import { CallFailed, EXIT } from './failures';
import { requireDashes } from './npm-options';
import { buildProgram } from './program';

const BY_NPM = { npm_lifecycle_event: 'cli' };

describe('a call with npm but without --', () => {
  it('is refused when npm has taken options for itself', () => {
    const env = { ...BY_NPM, npm_config_forward: 'true', npm_config_dry_run: 'true' };
    const call = (): void => {
      requireDashes(buildProgram(), env);
    };
    expect(call).toThrow(
      new CallFailed(
        'error: npm has taken --forward, --dry-run for itself. Write -- before the command: npm run cli -- …',
        EXIT.usage,
      ),
    );
  });

  it.each([
    ['no option was taken', { ...BY_NPM, npm_config_user_agent: 'npm/11' }],
    ['only .npmrc may have set it', { ...BY_NPM, npm_config_force: 'true', npm_config_key: 'x' }],
    ['npm did not start the command', { npm_config_forward: 'true' }],
  ])('is not refused when %s', (_reason, env) => {
    expect(() => {
      requireDashes(buildProgram(), env);
    }).not.toThrow();
  });
});
