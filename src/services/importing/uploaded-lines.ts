import { tombstoneStream } from '../../event-store/append';
import type { EventStoreConnection } from '../../event-store/connection';
import { streams } from '../../event-store/streams';
import type { Vault } from '../../event-store/vault';

interface LineStores {
  readonly connection: EventStoreConnection;
  readonly vault: Vault;
}

/**
 * Deletes uploaded lines, which contain personal data, and their key. The key is deleted first, so
 * that lines left by a crash cannot be read. Repeating it is harmless.
 */
export const deleteLines = async (
  { connection, vault }: LineStores,
  importId: string,
): Promise<void> => {
  await vault.erase(importId);
  await tombstoneStream(connection, streams.importLines(importId).name);
};
