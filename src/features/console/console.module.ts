import { Module } from '@nestjs/common';
import { Config } from '../../config/config';
import { Mailer } from '../../delivery/mail/mailer';
import { MemberDirectory } from '../../directories/member.directory';
import { TenantDirectory } from '../../directories/tenant.directory';
import { Aggregates } from '../../event-store/aggregates';
import { AuditTrail } from '../../event-store/audit-trail';
import { EventStoreConnection } from '../../event-store/connection';
import { EventStoreModule } from '../../event-store/event-store.module';
import { MasterKey } from '../../event-store/master-key';
import { Vault } from '../../event-store/vault';
import { HttpModule } from '../../http/pipeline/http.module';
import { Sessions } from '../../http/pipeline/sessions';
import { SharedRateLimiter } from '../../http/pipeline/shared-rate-limit';
import { Clock } from '../../kernel/time';
import { Database } from '../../read-models/database';
import { ReadModelsModule } from '../../read-models/read-models.module';
import { TenantModule } from '../tenants/tenant.module';
import { DeliveryModule } from '../../delivery/delivery.module';
import { InvitationController } from './invitation.controller';
import { InvitationMails } from './invitation.mail';
import { MemberController } from './member.controller';
import { ConsoleSessions } from './console.sessions';
import { People } from './people';
import { ConsoleLinkController, SessionController } from './session.controller';
import { SessionStore } from './session.store';
import { SignIn } from './sign-in';

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
