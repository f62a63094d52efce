/**
 * What the threads of a process tell each other about calls. Everything that one thread has to say in
 * one turn of its event loop is one packet: parts one after another, each with the number of its call
 * (4 bytes), its kind (1 byte) and the length of its content (4 bytes), big-endian.
 */
export const PartKind = {
  /** Client: a new call. JSON of `CallHeaders`. */
  open: 0,
  /** Client: one message. */
  message: 1,
  /** Client: it sends no more messages. */
  halfClose: 2,
  /** Client: it wants no more of this call. */
  cancel: 3,
  /** Server: it accepted the call. */
  headers: 4,
  /** Server: one or several messages, framed as in HTTP/2. */
  frames: 5,
  /** Server: the end of the call. JSON of gRPC trailers. */
  trailers: 6,
  /** Server: the connection broke; the call ends without trailers. */
  broken: 7,
  /** Both: this number of bytes was read (4 bytes), so that as many more may be sent. */
  credit: 8,
} as const;

export type PartKind = (typeof PartKind)[keyof typeof PartKind];

/** Headers of a call by name in small letters, among them `:path`. */
export type CallHeaders = Readonly<Record<string, string>>;

export interface Part {
  readonly call: number;
  readonly kind: PartKind;
  readonly content: Buffer;
}

/** The number of bytes that may be on their way in one direction of one call before its sender waits. */
export const WINDOW_BYTES = 256 * 1024;

const PART_HEADER_BYTES = 9;
const EMPTY = Buffer.alloc(0);

/** The side of a `MessagePort` that packets need. */
interface PacketPort {
  postMessage(packet: ArrayBuffer, transfer: readonly ArrayBuffer[]): void;
}

/** Collects the parts of one turn of the event loop and posts them as one packet. */
export class PacketWriter {
  #parts: Part[] = [];
  #bytes = 0;

  constructor(private readonly port: PacketPort) {}

  /** The content must not change until the turn is over. */
  add(call: number, kind: PartKind, content: Uint8Array = EMPTY): void {
    if (this.#parts.length === 0) {
      setImmediate(() => {
        this.flush();
      });
    }
    this.#parts.push({ call, kind, content: content as Buffer });
    this.#bytes += PART_HEADER_BYTES + content.length;
  }

  addCredit(call: number, bytes: number): void {
    const content = Buffer.allocUnsafe(4);
    content.writeUInt32BE(bytes);
    this.add(call, PartKind.credit, content);
  }

  /** Posts what was added so far. */
  flush(): void {
    if (this.#parts.length === 0) return;
    // Not from the pool, because its memory moves to the other thread.
    const packet = Buffer.allocUnsafeSlow(this.#bytes);
    let at = 0;
    for (const { call, kind, content } of this.#parts) {
      packet.writeUInt32BE(call, at);
      packet[at + 4] = kind;
      packet.writeUInt32BE(content.length, at + 5);
      packet.set(content, at + PART_HEADER_BYTES);
      at += PART_HEADER_BYTES + content.length;
    }
    this.#parts = [];
    this.#bytes = 0;
    const { buffer } = packet;
    this.port.postMessage(buffer, [buffer]);
  }
}

/** Calls back for each part, in the order in which they were added. */
export const readPacket = (packet: ArrayBuffer, onPart: (part: Part) => void): void => {
  const bytes = Buffer.from(packet);
  let at = 0;
  while (at < bytes.length) {
    const end = at + PART_HEADER_BYTES + bytes.readUInt32BE(at + 5);
    onPart({
      call: bytes.readUInt32BE(at),
      kind: bytes[at + 4] as PartKind,
      content: bytes.subarray(at + PART_HEADER_BYTES, end),
    });
    at = end;
  }
};

export const encodeJson = (value: CallHeaders): Buffer => Buffer.from(JSON.stringify(value));

export const decodeJson = (content: Buffer): CallHeaders =>
  JSON.parse(content.toString()) as CallHeaders;
