import type { IncomingHttpHeaders } from 'node:http2';
import { asRpcError, errors, type RpcError } from '../protocol/rpc-error';
import type { Authenticate } from './authentication';
import { Call, type Gate } from './call';
import type { Wire } from './wire';

export type Handler = (call: Call) => void;

/** The handlers by path (`/package.Service/Method`). */
export type Routes = ReadonlyMap<string, Handler>;

export interface DispatcherOptions {
  readonly routes: Routes;
  readonly authenticate: Authenticate;
  /** Runs the functions that send bytes. A fault may delay them. */
  readonly gate?: Gate;
  /** Returns an error if a call is refused before its handler runs. Faults use it. */
  readonly intercept?: (path: string) => RpcError | undefined;
}

/** Passes each call to the handler of its path, over HTTP/2 or between threads. */
export class Dispatcher {
  readonly #calls = new Set<Call>();

  constructor(private readonly options: DispatcherOptions) {}

  dispatch(wire: Wire, headers: IncomingHttpHeaders): void {
    const path = headers[':path'] ?? '';
    const { routes, authenticate, intercept, gate } = this.options;
    try {
      const call = new Call(wire, headers, authenticate(path, headers), gate);
      this.#calls.add(call);
      call.callWhenClosed(() => this.#calls.delete(call));
      const fault = intercept?.(path);
      const handler = routes.get(path);
      if (fault) call.fail(fault);
      else if (handler) handler(call);
      else call.fail(errors.unimplemented(`${path} is not supported by the embedded event store.`));
    } catch (error) {
      new Call(wire, headers, undefined, gate).fail(asRpcError(error));
    }
  }

  /** Ends all calls. */
  endCalls(): void {
    for (const call of this.#calls) call.fail(errors.unavailable('The server is shutting down.'));
  }
}

interface Decodable<Request> {
  deserializeBinary(bytes: Uint8Array): Request;
}

/** Makes a handler of a call with one request and one response. */
export const handleUnary =
  <Request>(
    type: Decodable<Request>,
    handle: (
      request: Request,
      call: Call,
    ) => { serializeBinary(): Uint8Array } | Promise<{ serializeBinary(): Uint8Array }>,
  ): Handler =>
  (call) => {
    let request: Buffer | undefined;
    call.receive(
      (message) => (request = message),
      () => {
        if (!request) throw errors.invalidArgument('The request is missing.');
        void Promise.resolve(handle(type.deserializeBinary(request), call)).then(
          (response) => {
            call.respond(response);
          },
          (error: unknown) => {
            call.fail(asRpcError(error));
          },
        );
      },
    );
  };
