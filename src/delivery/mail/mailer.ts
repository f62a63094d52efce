import { createTransport, type Transporter } from 'nodemailer';
import { toFailureReason } from '../model/failure-reason';
import type { AttemptResult } from '../model/verdict';
import type { MailFiles } from './mail-files';
import { type Mail, createMessage, type Message } from './message';

/**
 * SMTP reply 250, "requested mail action okay, completed". It is also reported for messages that
 * are written to a file or the outbox.
 */
const SMTP_ACCEPTED = 250;
const CONNECTIONS_MAX = 5;

export interface MailerOptions {
  /** URL of the mail server; undefined = messages are written to files. */
  readonly smtpUrl: string | undefined;
  readonly from: string;
  readonly files: MailFiles;
  readonly timeoutMs: number;
  readonly connectTimeoutMs: number;
}

/**
 * Sends e-mails and returns the result; it never throws. Live messages go to the SMTP server or,
 * without a server, into .eml files. Messages of the test environment go to the outbox only: they
 * are the body of the result, which the delivery log keeps sealed.
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
            // Nodemailer must not repeat a message: the retry schedule does it (D-42).
            maxRequeues: 0,
            connectionTimeout: connectTimeoutMs,
            greetingTimeout: connectTimeoutMs,
            socketTimeout: timeoutMs,
            ...safely,
          });
  }

  send(mail: Mail): Promise<AttemptResult> {
    return measureResult(this.deliver(mail));
  }

  /**
   * Sends a message of the service itself, such as an alert. `name` is its file name if there is no
   * server.
   */
  sendOwnMessage(name: string, make: (from: string) => Message): Promise<AttemptResult> {
    return measureResult(this.dispatch(name, make(this.options.from)));
  }

  preview(mail: Mail): {
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string;
  } {
    const message = createMessage(mail, this.options.from);
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
    const message = createMessage(mail, this.options.from);
    if (mail.destination.scope.environment === 'test') {
      return { statusCode: SMTP_ACCEPTED, body: JSON.stringify(message) };
    }
    return this.dispatch(`${mail.event.id}.${mail.destination.id}.eml`, message);
  }

  private async dispatch(name: string, message: Message): Promise<Partial<AttemptResult>> {
    const { message: raw } = (await this.transport.sendMail(toMailOptions(message))) as {
      message?: Buffer;
    };
    if (this.options.smtpUrl === undefined && raw !== undefined) {
      await this.options.files.write(name, raw);
    }
    return { statusCode: SMTP_ACCEPTED };
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
  normalizeHeaderKey: restoreHeaderCase(headers),
  date: new Date(date),
});

/** Restores the header names as given (D-42). The library would write `X-…-Id` as `X-…-ID`. */
const restoreHeaderCase =
  (headers: Message['headers']) =>
  (key: string): string =>
    Object.keys(headers).find((name) => name.toLowerCase() === key.toLowerCase()) ?? key;

const measureResult = async (sending: Promise<Partial<AttemptResult>>): Promise<AttemptResult> => {
  const startedAt = performance.now();
  const outcome = await sending.catch(toFailure);
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

/**
 * Converts an SMTP error to a result (D-42). A 4xx reply is tried again and a 5xx reply is final. A
 * failed login is a fault of the configuration, so it is not final.
 */
const toFailure = (thrown: unknown): Partial<AttemptResult> => {
  const { code, responseCode } = thrown as SmtpError;
  if (responseCode === undefined) return { error: toFailureReason(thrown) };
  return {
    statusCode: responseCode,
    error: `smtp_${responseCode}`,
    permanent: responseCode >= 500 && code !== 'EAUTH',
  };
};
