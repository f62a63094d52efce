import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';

/** A real SMTP server. It refuses messages as the test asks and keeps the ones it accepts. */
export class Mailbox {
  readonly messages: string[] = [];
  attempts = 0;
  /** The SMTP reply codes for the next messages. If empty, messages are accepted. */
  refusals: number[] = [];
  /** Returns the code for a message when `refusals` is empty; undefined accepts it. */
  refusalOf: (message: string) => number | undefined = () => undefined;
  /** A function that runs between a message and its reply. */
  beforeReply: () => Promise<unknown> = () => Promise.resolve();
  private readonly server: SMTPServer;

  constructor() {
    this.server = new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS', 'AUTH'],
      onData: (stream, _session, done) => {
        const chunks: Buffer[] = [];
        stream.on('data', (chunk: Buffer) => chunks.push(chunk));
        stream.on('end', () => {
          this.attempts += 1;
          const message = Buffer.concat(chunks).toString();
          const responseCode = this.refusals.shift() ?? this.refusalOf(message);
          if (responseCode === undefined) this.messages.push(message);
          const refusal =
            responseCode === undefined ? null : Object.assign(new Error('no'), { responseCode });
          void this.beforeReply().then(() => {
            done(refusal);
          });
        });
      },
    });
    // Some tests use clients that die in the middle of a session.
    this.server.on('error', () => undefined);
  }

  async open(): Promise<string> {
    await new Promise<void>((listening) => this.server.listen(0, '127.0.0.1', listening));
    return `smtp://127.0.0.1:${(this.server.server.address() as AddressInfo).port}`;
  }

  close(): Promise<void> {
    return new Promise((closed) => {
      this.server.close(closed);
    });
  }
}

export const readHeader = (message: string, name: string): string | undefined =>
  new RegExp(`^${name}: (.*)$`, 'im').exec(message.replace(/\r?\n[ \t]+/g, ' '))?.[1]?.trim();
