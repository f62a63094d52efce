import { readFileSync } from 'node:fs';
import { connect } from 'node:tls';

/** Time limit of a probe. A store that starts or changes its leader is probed again. */
const TIMEOUT_MS = 2_000;
const DEFAULT_PORT = 2113;
const PLAIN_ANSWER = /wrong version number|packet length too long/;
const CERTIFICATE_ERROR = /CERT|SELF_SIGNED|SIGNATURE|ISSUER|ALTNAME/;

/** The response of a port to the beginning of a TLS connection. */
export type TlsAnswer =
  | { readonly kind: 'trusted' }
  | { readonly kind: 'untrusted'; readonly reason: string }
  /** The port answers, but not in TLS. */
  | { readonly kind: 'plain' }
  /** The port does not answer, or closes the connection without a message. */
  | { readonly kind: 'silent' };

/**
 * Begins a TLS connection, sends nothing, and tells what the port answered. The client of the event
 * store hides the reason: a server with TLS closes a plain connection without a message, and a
 * failed discovery of a cluster only says that it failed.
 */
export const probeTls = (address: string, caFile: string | null): Promise<TlsAnswer> =>
  new Promise((resolve) => {
    const { hostname, port } = new URL(`tcp://${address}`);
    const host = hostname.replace(/^\[|\]$/g, '');
    const ca = caFile === null ? {} : { ca: readFileSync(caFile) };
    const socket = connect({ host, port: Number(port) || DEFAULT_PORT, ...ca });
    const answer = (found: TlsAnswer): void => {
      socket.destroy();
      resolve(found);
    };
    socket.setTimeout(TIMEOUT_MS, () => {
      answer({ kind: 'silent' });
    });
    socket.once('secureConnect', () => {
      answer({ kind: 'trusted' });
    });
    socket.on('error', (error: Error & { readonly code?: string }) => {
      answer(toAnswer(error));
    });
  });

const toAnswer = ({ message, code = '' }: Error & { readonly code?: string }): TlsAnswer => {
  if (PLAIN_ANSWER.test(message)) return { kind: 'plain' };
  return CERTIFICATE_ERROR.test(code) ? { kind: 'untrusted', reason: message } : { kind: 'silent' };
};
