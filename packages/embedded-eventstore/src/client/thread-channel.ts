import { type ChannelInterface as Channel, connectivityState } from '@grpc/grpc-js';
import type { MessagePort } from 'node:worker_threads';
import { type Part, PacketWriter, readPacket } from '../transport/packet';
import { ThreadCall } from './thread-call';

type CreateCall = Channel['createCall'];

/** One end of a message port. All clients of this thread share it. */
export class ThreadConnection {
  readonly #calls = new Map<number, ThreadCall>();
  readonly #writer: PacketWriter;
  #lastCall = 0;
  #isClosed = false;

  constructor(private readonly port: MessagePort) {
    this.#writer = new PacketWriter(port);
    port.on('message', (packet: ArrayBuffer) => {
      readPacket(packet, (part) => {
        this.handle(part);
      });
    });
    // The event `close` comes after the last packet, when the other side has closed the port or its
    // thread has ended.
    port.on('close', () => {
      this.#isClosed = true;
      for (const call of this.#calls.values()) call.break();
    });
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  close(): void {
    this.port.close();
  }

  createCall(path: string, deadline: Parameters<CreateCall>[1]): ThreadCall {
    this.#lastCall = (this.#lastCall + 1) % CALL_NUMBERS;
    const number = this.#lastCall;
    return new ThreadCall({
      number,
      path,
      deadline,
      writer: this.#writer,
      begin: (call) => {
        if (this.#isClosed) return false;
        this.#calls.set(number, call);
        return true;
      },
      forget: () => this.#calls.delete(number),
    });
  }

  private handle(part: Part): void {
    // The server may have sent these parts before it learned that the call was cancelled.
    this.#calls.get(part.call)?.handle(part);
  }
}

const CALL_NUMBERS = 2 ** 32;

/**
 * A channel of grpc-js whose calls go to a server in another thread of the process. The client's
 * serializers are used as they are. Calls behave as over HTTP/2: metadata, messages in order,
 * half-close, deadline, cancellation, a status with trailers, and a sender that waits while the
 * other side does not read.
 */
export class ThreadChannel implements Channel {
  constructor(
    private readonly connection: ThreadConnection,
    private readonly target: string,
  ) {}

  /** Does nothing, because other clients use the same port. */
  close(): void {
    return;
  }

  getTarget(): string {
    return this.target;
  }

  getConnectivityState(): connectivityState {
    return this.connection.isClosed ? connectivityState.TRANSIENT_FAILURE : connectivityState.READY;
  }

  /**
   * Never reports a change. The state changes only when the thread ends, and then each call fails.
   */
  watchConnectivityState(...[, , callback]: Parameters<Channel['watchConnectivityState']>): void {
    process.nextTick(callback, new Error('A channel between threads does not change its state.'));
  }

  getChannelzRef(): ReturnType<Channel['getChannelzRef']> {
    const ref: unknown = { kind: 'channel', id: 0, name: this.target };
    return ref as ReturnType<Channel['getChannelzRef']>;
  }

  createCall(...[path, deadline]: Parameters<CreateCall>): ThreadCall {
    return this.connection.createCall(path, deadline);
  }
}
