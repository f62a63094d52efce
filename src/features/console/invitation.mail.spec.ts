import type { FastifyRequest } from 'fastify';
import type { Config } from '../../config/config';
import type { Mailer } from '../../delivery/mail/mailer';
import { log } from '../../ops/log';
import { InvitationMails } from './invitation.mail';

const letter = { to: 'ben@example.com', tenantName: 'Acme', link: 'the link', id: 'inv_1' };

const sendWith = async (publicUrl: string | undefined, host: string): Promise<string[]> => {
  const sent: string[] = [];
  const mailer = {
    sendOwnMessage: (id: string) => {
      sent.push(id);
      return Promise.resolve({ statusCode: 250 });
    },
  } as unknown as Mailer;
  const config = { smtpUrl: 'smtp://mail.example.com', publicUrl } as unknown as Config;
  const request = { headers: { host } } as FastifyRequest;
  expect(await new InvitationMails(mailer, config).send(request, letter)).toBe(sent.length > 0);
  return sent;
};

describe('the mail of an invitation', () => {
  let warn: jest.SpyInstance;

  beforeEach(() => {
    warn = jest.spyOn(log, 'warn').mockReturnValue(undefined);
  });

  afterEach(() => {
    warn.mockRestore();
  });

  it('is sent if the public address is configured, whatever the Host header says', async () => {
    expect(await sendWith('https://events.example.com', 'evil.example')).toEqual(['inv_1']);
  });

  it('is sent without a configured address if the service is called on its own machine', async () => {
    expect(await sendWith(undefined, 'localhost:3000')).toEqual(['inv_1']);
  });

  it('is not sent with an address that only the Host header of the caller gives', async () => {
    expect(await sendWith(undefined, 'evil.example')).toEqual([]);
    expect(await sendWith(undefined, '127.0.0.1.evil.example')).toEqual([]);
    expect(await sendWith(undefined, 'localhost.evil.example:80')).toEqual([]);
    expect(warn).toHaveBeenCalledTimes(3);
  });

  it('leaves the reason in the log if the mail server does not accept it', async () => {
    const mailer = {
      sendOwnMessage: () => Promise.resolve({ statusCode: null, error: 'connection_refused' }),
    } as unknown as Mailer;
    const config = { smtpUrl: 'smtp://mail.example.com', publicUrl: 'https://events.example.com' };
    const mails = new InvitationMails(mailer, config as unknown as Config);
    expect(await mails.send({ headers: {} } as FastifyRequest, letter)).toBe(false);
    expect(warn.mock.calls).toEqual([
      [
        { invitation_id: 'inv_1', reason: 'connection_refused' },
        'an invitation was not sent by e-mail: connection_refused',
      ],
    ]);
  });
});
