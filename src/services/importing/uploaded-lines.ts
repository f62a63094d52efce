import { tombstoneStream } from '../../event-store/append';
import type { EventStoreConnection } from '../../event-store/connection';
import { streams } from '../../event-store/streams';
import type { Vault } from '../../event-store/vault';

interface Kept {
  readonly connection: EventStoreConnection;
  readonly vault: Vault;
}

/**
 * Uploaded lines hold personal data, and go with the key they are sealed with: the key first, so that
 * what a crash leaves of them cannot be read. Repeating it is harmless.
 */
export const forgetLines = async ({ connection, vault }: Kept, importId: string): Promise<void> => {
  await vault.erase(importId);
  await tombstoneStream(connection, streams.importLines(importId).name);
};
