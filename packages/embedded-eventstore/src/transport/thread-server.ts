import type { MessagePort } from 'node:worker_threads';
import type { Dispatcher } from './dispatcher';
import {
  decodeJson,
  encodeJson,
  type Part,
  PartKind,
  PacketWriter,
  readPacket,
  WINDOW_BYTES,
} from './packet';
import type { Wire, WireListener } from './wire';

/** Serves the clients in another thread of this process over a message port. */
export class ThreadServer {
  readonly #wires = new Map<number, ThreadWire>();
  readonly #writer: PacketWriter;

  constructor(
    private readonly port: MessagePort,
    private readonly dispatcher: Dispatcher,
  ) {
    this.#writer = new PacketWriter(port);
    port.on('message', (packet: ArrayBuffer) => {
      readPacket(packet, (part) => {
        this.handle(part);
      });
    });
    port.on('close', () => {
      for (const wire of this.#wires.values()) wire.close();
    });
  }

  /** Ends every call without a goodbye. */
  breakConnections(): void {
    for (const wire of this.#wires.values()) wire.break();
  }

  /** Posts the last responses and closes the port. All calls must have ended. */
  close(): void {
    this.#writer.flush();
    this.port.close();
  }

  private handle(part: Part): void {
    if (part.kind === PartKind.open) this.open(part);
    // A call that has ended here may still get parts that were on their way.
    else this.#wires.get(part.call)?.handle(part);
  }

  private open({ call, content }: Part): void {
    const wire = new ThreadWire(call, this.#writer);
    this.#wires.set(call, wire);
    wire.onClose(() => this.#wires.delete(call));
    this.dispatcher.dispatch(wire, decodeJson(content));
  }
}

/** The transport of a call whose parts arrive in packets from another thread. */
class ThreadWire implements Wire {
  readonly peer = '';
  readonly #onDrain: (() => void)[] = [];
  readonly #onClose: (() => void)[] = [];
  #listener: Pick<WireListener, 'onMessage' | 'onEnd'> | undefined;
  /** Parts that came before there was a listener. */
  #earlyParts: Part[] = [];
  #isClosed = false;
  #isAccepted = false;
  /** The number of sent bytes that the client has not reported as read. */
  #unreadBytes = 0;
  /** The number of read bytes that the client has not been told of. */
  #uncreditedBytes = 0;

  constructor(
    private readonly call: number,
    private readonly writer: PacketWriter,
  ) {}

  get needsDrain(): boolean {
    return this.#unreadBytes >= WINDOW_BYTES;
  }

  onDrain(callback: () => void): void {
    this.#onDrain.push(callback);
  }

  onClose(callback: () => void): void {
    this.#onClose.push(callback);
  }

  receive(listener: WireListener): void {
    this.#listener = listener;
    for (const part of this.#earlyParts.splice(0)) this.handle(part);
  }

  discard(): void {
    this.#listener = { onMessage: () => undefined, onEnd: () => undefined };
    this.#earlyParts = [];
  }

  handle(part: Part): void {
    switch (part.kind) {
      case PartKind.credit:
        this.addCredit(part.content.readUInt32BE());
        return;
      case PartKind.cancel:
        this.close();
        return;
      default:
        this.deliver(part);
    }
  }

  sendHeaders(): void {
    if (this.#isAccepted || this.#isClosed) return;
    this.#isAccepted = true;
    this.writer.add(this.call, PartKind.headers);
  }

  write(frames: Buffer): void {
    if (this.#isClosed) return;
    this.#unreadBytes += frames.length;
    this.writer.add(this.call, PartKind.frames, frames);
  }

  finish(trailers: Readonly<Record<string, string>>): void {
    if (this.#isClosed) return;
    this.writer.add(this.call, PartKind.trailers, encodeJson(trailers));
    this.closeSoon();
  }

  /** Ends the call without trailers, as a broken connection does. */
  break(): void {
    if (this.#isClosed) return;
    this.writer.add(this.call, PartKind.broken);
    this.closeSoon();
  }

  /** Ends the call for the client, before anything that the client sent after its cancel. */
  close(): void {
    this.#isClosed = true;
    for (const callback of this.#onClose.splice(0)) callback();
  }

  /** Reports the end of the call to its handler in a later step, after the handler has returned. */
  private closeSoon(): void {
    this.#isClosed = true;
    process.nextTick(() => {
      this.close();
    });
  }

  private deliver(part: Part): void {
    if (this.#isClosed) return;
    if (!this.#listener) {
      this.#earlyParts.push(part);
      return;
    }
    if (part.kind === PartKind.halfClose) this.#listener.onEnd();
    else this.deliverMessage(this.#listener, part.content);
  }

  private deliverMessage({ onMessage }: Pick<WireListener, 'onMessage'>, message: Buffer): void {
    this.#uncreditedBytes += message.length;
    if (this.#uncreditedBytes >= WINDOW_BYTES / 2) {
      this.writer.addCredit(this.call, this.#uncreditedBytes);
      this.#uncreditedBytes = 0;
    }
    onMessage(message);
  }

  private addCredit(bytes: number): void {
    const neededDrain = this.needsDrain;
    this.#unreadBytes -= bytes;
    if (!neededDrain || this.needsDrain) return;
    for (const callback of this.#onDrain) callback();
  }
}
