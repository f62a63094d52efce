import type { Config } from 'jest';
import { startSharing } from './shared-services';
import { makeTemporaryDirectory } from './temporary-files';

let undo: () => Promise<void>;

/** The global set-up of Jest. */
export default async function setUp(
  _: unknown,
  { globals }: Required<Pick<Config, 'globals'>>,
): Promise<void> {
  const deleteFiles = globals['keepsFilesInMemory'] === true ? makeTemporaryDirectory() : undefined;
  const stopSharing = await startSharing();
  undo = async () => {
    await stopSharing();
    deleteFiles?.();
  };
}

export const tearDown = (): Promise<void> => undo();
