import { Module } from '@nestjs/common';
import { provide, provideBy } from './provide';
import { Runtime } from '../../config/runtime';
import { OperatorTokenDirectory } from '../../directories/operator-token.directory';
import { Aggregates } from '../../event-store/aggregates';
import { EventStoreConnection } from '../../event-store/connection';
import { EventStoreModule } from './event-store.module';
import { OperatorAuthenticator } from '../../http/pipeline/authentication';
import { Clock } from '../../kernel/time';
import {
  CreateOperatorTokenHandler,
  OperatorTokenWriter,
  RevokeOperatorTokenHandler,
  RotateOperatorTokenHandler,
} from '../../features/operator-tokens/operator-token.commands';
import { OperatorTokenController } from '../../features/operator-tokens/operator-token.controller';
import { OperatorTokenAuthenticator } from '../../features/operator-tokens/operator.authenticator';

@Module({
  imports: [EventStoreModule],
  controllers: [OperatorTokenController],
  providers: [
    provide(OperatorTokenDirectory, EventStoreConnection),
    provide(OperatorTokenWriter, Aggregates, OperatorTokenDirectory),
    provideBy(
      OperatorAuthenticator,
      { runtime: Runtime, tokens: OperatorTokenDirectory, clock: Clock },
      ({ runtime: { operatorToken }, tokens, clock }) =>
        new OperatorTokenAuthenticator(operatorToken, tokens, clock),
    ),
    CreateOperatorTokenHandler,
    RotateOperatorTokenHandler,
    RevokeOperatorTokenHandler,
  ],
  exports: [OperatorAuthenticator, OperatorTokenDirectory],
})
export class OperatorTokenModule {}
