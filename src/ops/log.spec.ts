import { spawnSync } from 'node:child_process';

/**
 * The log exists before the configuration is read, and a wrong level must not prevent the message
 * about it.
 */
it.each(['loud', '', ' debug '])('the log works with the level %p', (level) => {
  const { status, stderr } = spawnSync(
    process.execPath,
    ['-r', '@swc-node/register', '-e', "require('./src/ops/log')"],
    { env: { ...process.env, LOG_LEVEL: level }, encoding: 'utf8' },
  );
  expect({ status, stderr }).toMatchObject({ status: 0 });
});
