import { Module } from '@nestjs/common';
import { Config } from '../../config/config';
import { Mailer } from '../../delivery/mail/mailer';
import { MemberDirectory } from '../../directories/member.directory';
import { TenantDirectory } from '../../directories/tenant.directory';
import { Aggregates } from '../../event-store/aggregates';
import { AuditTrail } from '../../event-store/audit-trail';
import { EventStoreConnection } from '../../event-store/connection';
import { EventStoreModule } from './event-store.module';
import { MasterKey } from '../../event-store/master-key';
import { Vault } from '../../event-store/vault';
import { HttpModule } from './http.module';
import { Sessions } from '../../http/pipeline/sessions';
import { SharedRateLimiter } from '../../http/pipeline/shared-rate-limit';
import { Clock } from '../../kernel/time';
import { Database } from '../../read-models/database';
import { ReadModelsModule } from './read-models.module';
import { TenantModule } from './tenant.module';
import { DeliveryModule } from './delivery.module';
import { InvitationController } from '../../features/console/invitation.controller';
import { InvitationMails } from '../../features/console/invitation.mail';
import { MemberController } from '../../features/console/member.controller';
import { ConsoleSessions } from '../../features/console/console.sessions';
import { People } from '../../features/console/people';
import {
  ConsoleLinkController,
  SessionController,
} from '../../features/console/session.controller';
import { SessionStore } from '../../features/console/session.store';
import { SignIn } from '../../features/console/sign-in';

@Module({
  imports: [EventStoreModule, ReadModelsModule, HttpModule, TenantModule, DeliveryModule],
  controllers: [SessionController, ConsoleLinkController, MemberController, InvitationController],
  providers: [
    {
      provide: MemberDirectory,
      inject: [EventStoreConnection],
      useFactory: (connection: EventStoreConnection) => new MemberDirectory(connection),
    },
    {
      provide: SessionStore,
      inject: [Database],
      useFactory: (database: Database) => new SessionStore(database),
    },
    {
      provide: People,
      inject: [Aggregates, MemberDirectory, Vault, MasterKey, Database],
      useFactory: (...parts: ConstructorParameters<typeof People>) => new People(...parts),
    },
    {
      provide: ConsoleSessions,
      inject: [SessionStore, MemberDirectory, TenantDirectory, People],
      useFactory: (...parts: ConstructorParameters<typeof ConsoleSessions>) =>
        new ConsoleSessions(...parts),
    },
    { provide: Sessions, useExisting: ConsoleSessions },
    {
      provide: SignIn,
      inject: [SessionStore, ConsoleSessions, People, SharedRateLimiter, AuditTrail, Clock],
      useFactory: (
        store: SessionStore,
        sessions: ConsoleSessions,
        people: People,
        limiter: SharedRateLimiter,
        auditTrail: AuditTrail,
        clock: Clock,
      ) => new SignIn({ store, sessions, people, limiter, auditTrail, clock }),
    },
    {
      provide: InvitationMails,
      inject: [Mailer, Config],
      useFactory: (mailer: Mailer, config: Config) => new InvitationMails(mailer, config),
    },
  ],
  exports: [Sessions, SessionStore, MemberDirectory, People],
})
export class ConsoleModule {}
