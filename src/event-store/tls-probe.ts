import { readFileSync } from 'node:fs';
import { connect } from 'node:tls';

/** Time limit of a probe. A store that starts or changes its leader is probed again. */
const TIMEOUT_MS = 2_000;
const DEFAULT_PORT = 2113;
const PLAIN_TEXT_ERROR = /wrong version number|packet length too long/;
const CERTIFICATE_ERROR = /CERT|SELF_SIGNED|SIGNATURE|ISSUER|ALTNAME/;

/** The result of beginning a TLS connection to a port. */
export type TlsProbeResult =
  | { readonly kind: 'trusted' }
  | { readonly kind: 'untrusted'; readonly reason: string }
  /** The port answers, but not in TLS. */
  | { readonly kind: 'plain' }
  /** The port does not answer, or closes the connection without a message. */
  | { readonly kind: 'silent' };

/**
 * Begins a TLS connection, sends nothing, and returns how the port answered. The client of the event
 * store hides the reason: a server with TLS closes a plain connection without a message, and a
 * failed discovery of a cluster only says that it failed.
 */
export const probeTls = (address: string, caFile: string | null): Promise<TlsProbeResult> =>
  new Promise((resolve) => {
    const { hostname, port } = new URL(`tcp://${address}`);
    const host = hostname.replace(/^\[|\]$/g, '');
    const ca = caFile === null ? {} : { ca: readFileSync(caFile) };
    const socket = connect({ host, port: Number(port) || DEFAULT_PORT, ...ca });
    const finish = (found: TlsProbeResult): void => {
      socket.destroy();
      resolve(found);
    };
    socket.setTimeout(TIMEOUT_MS, () => {
      finish({ kind: 'silent' });
    });
    socket.once('secureConnect', () => {
      finish({ kind: 'trusted' });
    });
    socket.on('error', (error: Error & { readonly code?: string }) => {
      finish(toResult(error));
    });
  });

const toResult = ({ message, code = '' }: Error & { readonly code?: string }): TlsProbeResult => {
  if (PLAIN_TEXT_ERROR.test(message)) return { kind: 'plain' };
  return CERTIFICATE_ERROR.test(code) ? { kind: 'untrusted', reason: message } : { kind: 'silent' };
};
