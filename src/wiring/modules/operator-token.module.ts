import { Module } from '@nestjs/common';
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
    {
      provide: OperatorTokenDirectory,
      inject: [EventStoreConnection],
      useFactory: (connection: EventStoreConnection) => new OperatorTokenDirectory(connection),
    },
    {
      provide: OperatorTokenWriter,
      inject: [Aggregates, OperatorTokenDirectory],
      useFactory: (aggregates: Aggregates, tokens: OperatorTokenDirectory) =>
        new OperatorTokenWriter(aggregates, tokens),
    },
    {
      provide: OperatorAuthenticator,
      inject: [Runtime, OperatorTokenDirectory, Clock],
      useFactory: ({ operatorToken }: Runtime, tokens: OperatorTokenDirectory, clock: Clock) =>
        new OperatorTokenAuthenticator(operatorToken, tokens, clock),
    },
    CreateOperatorTokenHandler,
    RotateOperatorTokenHandler,
    RevokeOperatorTokenHandler,
  ],
  exports: [OperatorAuthenticator, OperatorTokenDirectory],
})
export class OperatorTokenModule {}
