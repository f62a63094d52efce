import { createTransport, type Transporter } from 'nodemailer';
import type { AttemptResult } from '../model/verdict';
import type { MailFiles } from './mail-files';
import { type Mail, messageOf, type Message } from './message';

/** SMTP's "requested mail action okay, completed", also for messages that go to a file or the outbox. */
const ACCEPTED = 250;
const CONNECTIONS_MAX = 5;

export interface MailerOptions {
  /** Undefined = messages become files. */
  readonly smtpUrl: string | undefined;
  readonly from: string;
  readonly files: MailFiles;
  readonly timeoutMs: number;
  readonly connectTimeoutMs: number;
}

/**
 * Sends e-mails and reports how it went; it never throws. Live messages go by SMTP or, without a
 * server, into .eml files; those of the test environment go to the outbox only: they are the body of
 * the result, which the delivery log keeps sealed.
 */
export class Mailer {
  private readonly transport: Transporter;

  constructor(private readonly options: MailerOptions) {
    const { smtpUrl, timeoutMs, connectTimeoutMs } = options;
    const safely = { disableFileAccess: true, disableUrlAccess: true };
    this.transport =
      smtpUrl === undefined
        ? createTransport({ streamTransport: true, buffer: true, newline: 'windows', ...safely })
        : createTransport({
            url: smtpUrl,
            pool: true,
            maxConnections: CONNECTIONS_MAX,
            // One attempt is one attempt: the retry schedule has the others (D-42).
            maxRequeues: 0,
            connectionTimeout: connectTimeoutMs,
            greetingTimeout: connectTimeoutMs,
            socketTimeout: timeoutMs,
            ...safely,
          });
  }

  send(mail: Mail): Promise<AttemptResult> {
    return report(this.deliver(mail));
  }

  /** A message of the service's own, made for its sender; `name` is its file where there is no server. */
  post(name: string, make: (from: string) => Message): Promise<AttemptResult> {
    return report(this.dispatch(name, make(this.options.from)));
  }

  preview(mail: Mail): {
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string;
  } {
    const message = messageOf(mail, this.options.from);
    return {
      headers: {
        From: message.from,
        To: message.to,
        ...(message.reply_to === null ? {} : { 'Reply-To': message.reply_to }),
        Subject: message.subject,
        'Message-ID': message.message_id,
        ...message.headers,
      },
      body: message.text,
    };
  }

  close(): void {
    this.transport.close();
  }

  private async deliver(mail: Mail): Promise<Partial<AttemptResult>> {
    const message = messageOf(mail, this.options.from);
    if (mail.destination.scope.environment === 'test') {
      return { statusCode: ACCEPTED, body: JSON.stringify(message) };
    }
    return this.dispatch(`${mail.event.id}.${mail.destination.id}.eml`, message);
  }

  private async dispatch(name: string, message: Message): Promise<Partial<AttemptResult>> {
    const { message: raw } = (await this.transport.sendMail(toMailOptions(message))) as {
      message?: Buffer;
    };
    if (this.options.smtpUrl === undefined && raw !== undefined) {
      await this.options.files.keep(name, raw);
    }
    return { statusCode: ACCEPTED };
  }
}

const toMailOptions = ({
  from,
  to,
  reply_to,
  subject,
  text,
  message_id,
  headers,
  date,
}: Message) => ({
  from,
  to,
  ...(reply_to === null ? {} : { replyTo: reply_to }),
  subject,
  text,
  messageId: message_id,
  headers,
  normalizeHeaderKey: asWritten(headers),
  date: new Date(date),
});

/** The library writes every header its own way, `X-…-Id` as `X-…-ID`: ours are put back (D-42). */
const asWritten =
  (headers: Message['headers']) =>
  (key: string): string =>
    Object.keys(headers).find((name) => name.toLowerCase() === key.toLowerCase()) ?? key;

const report = async (sending: Promise<Partial<AttemptResult>>): Promise<AttemptResult> => {
  const startedAt = performance.now();
  const outcome = await sending.catch(failureOf);
  return {
    statusCode: null,
    error: null,
    retryAfter: null,
    body: '',
    ...outcome,
    durationMs: Math.round(performance.now() - startedAt),
  };
};

interface SmtpError {
  readonly code?: string;
  readonly responseCode?: number;
}

/** D-42: a 4xx reply is tried again, a 5xx is final; a login that fails is our own fault, not final. */
const failureOf = (thrown: unknown): Partial<AttemptResult> => {
  const { code, responseCode } = thrown as SmtpError;
  if (responseCode === undefined) return { error: code ?? 'unknown_error' };
  return {
    statusCode: responseCode,
    error: `smtp_${responseCode}`,
    permanent: responseCode >= 500 && code !== 'EAUTH',
  };
};
