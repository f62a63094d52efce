import { createDataDirPrefix, quoteForShell } from '../config/paste';
import { readDataDir } from './service-address';

/** Returns a command for a person to paste. It reaches the service that this command reached. */
export const formatNextCommand = (
  args: string,
  env: Readonly<Record<string, string | undefined>> = process.env,
): string => {
  const { SERVICE_URL: service = '' } = env;
  const address = service === '' ? '' : `SERVICE_URL=${quoteForShell(service)} `;
  return `${createDataDirPrefix(readDataDir(env))}${address}npm run cli -- ${args}`;
};
