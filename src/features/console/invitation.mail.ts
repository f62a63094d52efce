import type { FastifyRequest } from 'fastify';
import type { Config } from '../../config/config';
import type { Mailer } from '../../delivery/mail/mailer';
import type { Message } from '../../delivery/mail/message';
import { getAddress, isAddressTrusted } from './addresses';

interface InvitationLetter {
  readonly to: string;
  readonly tenantName: string;
  readonly link: string;
  readonly id: string;
}

/** Delivers invitations as a link to copy, and by e-mail if a mail server is configured. */
export class InvitationMails {
  constructor(
    private readonly mailer: Mailer,
    private readonly config: Config,
  ) {}

  createLink(request: FastifyRequest, token: string): string {
    return `${getAddress(request, this.config)}/console/join#${token}`;
  }

  /**
   * Returns false if no mail server or no public address is configured, or if the server did not
   * accept the e-mail.
   */
  async send(request: FastifyRequest, letter: InvitationLetter): Promise<boolean> {
    if (this.config.smtpUrl === undefined || !isAddressTrusted(request, this.config)) return false;
    const result = await this.mailer.sendOwnMessage(letter.id, (from) =>
      createInvitationMail(from, letter),
    );
    return result.statusCode !== null && result.statusCode < 400;
  }
}

/** Builds the e-mail of an invitation. */
const createInvitationMail = (
  from: string,
  { to, tenantName, link, id }: InvitationLetter,
): Message => {
  const host = /@([^\s<>]+)>?$/.exec(from)?.[1] ?? 'localhost';
  return {
    message_id: `<${id}@${host}>`,
    date: new Date().toISOString(),
    from,
    to,
    reply_to: null,
    subject: `Invitation to ${tenantName}`,
    text: [
      `You are invited to work for ${tenantName}.`,
      '',
      'Open this link to accept. It works once, within seven days:',
      link,
      '',
      'If you did not expect it, you need not do anything.',
      '',
    ].join('\n'),
    headers: {},
  };
};
