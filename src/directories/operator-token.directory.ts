import {
  type KnownOperatorToken,
  type OperatorToken,
  operatorTokenAggregate,
} from '../domain/operator-tokens/operator-token.decider';
import {
  type OperatorTokenFact,
  operatorTokenEvents,
} from '../domain/operator-tokens/operator-token.events';
import type { EventStoreConnection } from '../event-store/connection';
import { Directory } from '../event-store/directory';
import { streams } from '../event-store/streams';

/**
 * All operator tokens in memory, updated from the log: a revoked token stops working in all
 * processes within milliseconds.
 */
export class OperatorTokenDirectory extends Directory<OperatorToken, OperatorTokenFact> {
  constructor(connection: EventStoreConnection) {
    super({
      connection,
      category: 'operator_token',
      decider: operatorTokenAggregate,
      events: operatorTokenEvents,
    });
  }

  find(tokenId: string): KnownOperatorToken | null {
    const token = this.get(streams.operatorToken(tokenId).name);
    return token?.status === 'known' ? token : null;
  }

  listAll(): KnownOperatorToken[] {
    return this.listStates().filter((token) => token.status === 'known');
  }
}
