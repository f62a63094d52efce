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

  /** Posts the last answers and closes the port. All calls must have ended. */
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

/** A call that parts of packets carry. */
class ThreadWire implements Wire {
  readonly peer = '';
  readonly #onDrain: (() => void)[] = [];
  readonly #onClose: (() => void)[] = [];
  #listener: Pick<WireListener, 'onMessage' | 'onEnd'> | undefined;
  /** What came before there was a listener. */
  #early: Part[] = [];
  #isClosed = false;
  #isAccepted = false;
  /** Sent, and not read by the client as far as it has told. */
  #unreadBytes = 0;
  /** Read, and not told to the client yet. */
  #untoldBytes = 0;

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
    for (const part of this.#early.splice(0)) this.handle(part);
  }

  discard(): void {
    this.#listener = { onMessage: () => undefined, onEnd: () => undefined };
    this.#early = [];
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

  /** Ends the call as a connection that breaks does. */
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

  /** Ends the call for its handler, which must have returned before it is told of the end. */
  private closeSoon(): void {
    this.#isClosed = true;
    process.nextTick(() => {
      this.close();
    });
  }

  private deliver(part: Part): void {
    if (this.#isClosed) return;
    if (!this.#listener) {
      this.#early.push(part);
      return;
    }
    if (part.kind === PartKind.halfClose) this.#listener.onEnd();
    else this.deliverMessage(this.#listener, part.content);
  }

  private deliverMessage({ onMessage }: Pick<WireListener, 'onMessage'>, message: Buffer): void {
    this.#untoldBytes += message.length;
    if (this.#untoldBytes >= WINDOW_BYTES / 2) {
      this.writer.addCredit(this.call, this.#untoldBytes);
      this.#untoldBytes = 0;
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
