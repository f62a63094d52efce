import type { Aggregates } from '../../event-store/aggregates';
import { readCategoryPage } from '../../event-store/category-reads';
import type { EventStoreConnection } from '../../event-store/connection';
import type { MasterKey } from '../../event-store/master-key';
import { categoryStream, streams } from '../../event-store/streams';
import type { Vault } from '../../event-store/vault';
import { createSystemContext } from '../../event-store/system-context';
import type { Clock } from '../../kernel/time';
import { destinationAggregate, rewrapSecrets } from '../../domain/destinations/destination.decider';
import type { DestinationDirectory } from '../../directories/destination.directory';
import type { SealedPlace } from './rewrapper';

const TEXTS_PER_READ = 500;
const CONCURRENT_REWRAPS = 8;

interface DataKeyParts {
  readonly connection: EventStoreConnection;
  readonly vault: Vault;
  readonly masterKey: MasterKey;
  readonly clock: Clock;
}

/** Rewraps the data keys of subscribers and uploads, each in its own stream. */
export const createDataKeysPlace = ({
  connection,
  vault,
  masterKey,
  clock,
}: DataKeyParts): SealedPlace => ({
  name: 'data keys',
  rewrap: async (signal) => {
    let count = 0;
    let from = 0;
    while (!signal.aborted) {
      const page = await readCategoryPage(
        connection.client,
        { stream: categoryStream('vault'), from, maxCount: TEXTS_PER_READ },
        ({ type }) => type.startsWith('vault.'),
      );
      if (page === null) break;
      from = page.lastRevision + 1;
      const old = page.events.filter(({ data }) => !masterKey.isCurrent(data['wrapped'] as string));
      for (let i = 0; i < old.length; i += CONCURRENT_REWRAPS) {
        const results = await Promise.all(
          old
            .slice(i, i + CONCURRENT_REWRAPS)
            .map(({ stream }) => vault.rewrap(stream.slice('vault-'.length), clock.now())),
        );
        count += results.filter(Boolean).length;
      }
    }
    return count;
  },
});

interface SigningSecretParts {
  readonly aggregates: Aggregates;
  readonly directory: DestinationDirectory;
  readonly masterKey: MasterKey;
  readonly clock: Clock;
}

/** Rewraps the signing secrets of destinations, including deleted ones that can be restored. */
export const createSigningSecretsPlace = ({
  aggregates,
  directory,
  masterKey,
  clock,
}: SigningSecretParts): SealedPlace => ({
  name: 'signing secrets',
  rewrap: async (signal) => {
    let count = 0;
    for (const id of directory.listIds()) {
      if (signal.aborted) break;
      await masterKey.proveCurrent();
      const { facts } = await aggregates.run(
        destinationAggregate,
        streams.destination(id),
        createSystemContext('key_rotation', clock),
        ({ state }) => rewrapSecrets((wrapped) => masterKey.rewrap(wrapped, id))(state),
      );
      count += facts.length;
    }
    return count;
  },
});
