import type { TargetOf } from '../../domain/destinations/destination-kinds';
import { scopeName } from '../../kernel/scope';
import type { Channel, PreparedAttempt, Preview } from '../model/channel';
import type { AttemptResult } from '../model/verdict';
import type { Mailer } from './mailer';
import { parseTemplate } from './template';
import type { TestMails } from './test-mails';

type MailTarget = TargetOf<'email_fallback'>;

/** Sends events as e-mails (D-42). */
export class MailChannel implements Channel<MailTarget> {
  constructor(
    private readonly mailer: Mailer,
    private readonly testMails: TestMails,
  ) {}

  checkTarget({ subject_template: template }: MailTarget): Promise<void> {
    if (template !== null) parseTemplate(template);
    return Promise.resolve();
  }

  send(prepared: PreparedAttempt, target: MailTarget): Promise<AttemptResult> {
    return this.mailer.send({ ...prepared, target });
  }

  preview(prepared: PreparedAttempt, target: MailTarget): Preview {
    return this.mailer.preview({ ...prepared, target });
  }

  /** The outbox of the test environment reads the service's own message from here, so it is whole. */
  selectLoggedBody(body: string): string {
    return body;
  }

  async storeTest(
    { event, destination: { id, scope }, at }: PreparedAttempt,
    { body }: AttemptResult,
  ): Promise<void> {
    if (scope.environment !== 'test') return;
    const about = { scope: scopeName(scope), eventId: event.id, destinationId: id };
    await this.testMails.store({ ...about, at, message: body });
  }
}
