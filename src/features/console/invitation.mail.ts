import type { FastifyRequest } from 'fastify';
import type { Config } from '../../config/config';
import type { Mailer } from '../../delivery/mail/mailer';
import type { Message } from '../../delivery/mail/message';
import { log } from '../../ops/log';
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
   * accept the e-mail. Where there is a mail server, the log says why.
   */
  async send(request: FastifyRequest, letter: InvitationLetter): Promise<boolean> {
    if (this.config.smtpUrl === undefined) return false;
    if (!isAddressTrusted(request, this.config)) return refuse(letter, 'PUBLIC_URL is not set');
    const { statusCode, error } = await this.mailer.sendOwnMessage(letter.id, (from) =>
      createInvitationMail(from, letter),
    );
    if (statusCode !== null && statusCode < 400) return true;
    return refuse(letter, error ?? `the mail server answered ${statusCode}`);
  }
}

const refuse = ({ id }: InvitationLetter, reason: string): false => {
  log.warn({ invitation_id: id, reason }, `an invitation was not sent by e-mail: ${reason}`);
  return false;
};

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
