import { Module } from '@nestjs/common';
import { provide, provideWithParts } from './provide';
import { Config } from '../../config/config';
import { Mailer } from '../../delivery/mail/mailer';
import { MemberDirectory } from '../../directories/member.directory';
import { OperatorTokenDirectory } from '../../directories/operator-token.directory';
import { TenantDirectory } from '../../directories/tenant.directory';
import { Aggregates } from '../../event-store/aggregates';
import { AuditTrail } from '../../event-store/audit-trail';
import { EventStoreConnection } from '../../event-store/connection';
import { EventStoreModule } from './event-store.module';
import { MasterKey } from '../../event-store/master-key';
import { Vault } from '../../event-store/vault';
import { HttpModule } from './http.module';
import { Sessions } from '../../http/pipeline/sessions';
import { Clock } from '../../kernel/time';
import { Database } from '../../read-models/database';
import { ReadModelsModule } from './read-models.module';
import { TenantModule } from './tenant.module';
import { DeliveryModule } from './delivery.module';
import { OperatorTokenModule } from './operator-token.module';
import { InvitationController } from '../../features/console/invitation.controller';
import { InvitationMails } from '../../features/console/invitation.mail';
import { MemberController } from '../../features/console/member.controller';
import { OperatorSessionController } from '../../features/console/operator-session.controller';
import { ConsoleSessions } from '../../features/console/console.sessions';
import { OidcController, SignInOptionsController } from '../../features/console/oidc.controller';
import { OidcSignIn } from '../../features/console/oidc.sign-in';
import { Metrics } from '../../ops/metrics';
import { MemberAccounts } from '../../features/console/member-accounts';
import {
  ConsoleLinkController,
  SessionController,
} from '../../features/console/session.controller';
import { SessionStore } from '../../features/console/session.store';
import { SignIn } from '../../features/console/sign-in';
import { SignInAttempts } from '../../features/console/sign-in-attempts';

@Module({
  imports: [
    EventStoreModule,
    ReadModelsModule,
    HttpModule,
    TenantModule,
    DeliveryModule,
    OperatorTokenModule,
  ],
  controllers: [
    SessionController,
    OidcController,
    SignInOptionsController,
    ConsoleLinkController,
    MemberController,
    OperatorSessionController,
    InvitationController,
  ],
  providers: [
    provide(MemberDirectory, EventStoreConnection),
    provide(SessionStore, Database),
    provide(SignInAttempts, Database),
    provide(MemberAccounts, Aggregates, MemberDirectory, Vault, MasterKey, Database),
    provideWithParts(ConsoleSessions, {
      store: SessionStore,
      members: MemberDirectory,
      tenants: TenantDirectory,
      accounts: MemberAccounts,
      operatorTokens: OperatorTokenDirectory,
      clock: Clock,
    }),
    { provide: Sessions, useExisting: ConsoleSessions },
    provideWithParts(SignIn, {
      store: SessionStore,
      sessions: ConsoleSessions,
      accounts: MemberAccounts,
      attempts: SignInAttempts,
      auditTrail: AuditTrail,
      clock: Clock,
      metrics: Metrics,
      config: Config,
    }),
    provideWithParts(OidcSignIn, {
      config: Config,
      signIn: SignIn,
      accounts: MemberAccounts,
      tenants: TenantDirectory,
      masterKey: MasterKey,
      metrics: Metrics,
      clock: Clock,
    }),
    provide(InvitationMails, Mailer, Config),
  ],
  exports: [Sessions, SessionStore, SignInAttempts, MemberDirectory, MemberAccounts],
})
export class ConsoleModule {}
