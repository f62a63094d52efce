import { MESSAGE_BYTES_MAX } from '../base/limits';
import { errors, RpcError, Status } from './rpc-error';

/**
 * The framing of gRPC over HTTP/2. Before each message come one byte (0 for "not compressed") and
 * its length in four bytes, big-endian. Several framed messages can be sent in one write, which
 * makes streams fast.
 */
export const FRAME_HEADER_BYTES = 5;

/** Allocates a message with its frame header. `encode` writes the message at the given offset. */
export const encodeFrame = (
  messageBytes: number,
  encode: (target: Buffer, offset: number) => unknown,
): Buffer => {
  const frame = Buffer.allocUnsafe(FRAME_HEADER_BYTES + messageBytes);
  putFrameHeader(frame, 0, messageBytes);
  encode(frame, FRAME_HEADER_BYTES);
  return frame;
};

export const putFrameHeader = (target: Buffer, offset: number, messageBytes: number): number => {
  target[offset] = 0;
  target.writeUInt32BE(messageBytes, offset + 1);
  return offset + FRAME_HEADER_BYTES;
};

export const createFrame = (message: Uint8Array): Buffer =>
  encodeFrame(message.length, (target, offset) => {
    target.set(message, offset);
  });

/** Splits incoming bytes into messages; a message may begin and end inside a chunk. */
export class MessageSplitter {
  #rest: Buffer[] = [];
  #restBytes = 0;
  #neededBytes = FRAME_HEADER_BYTES;

  /** Adds a chunk and calls `onMessage` for each message that is now complete. */
  push(chunk: Buffer, onMessage: (message: Buffer) => void): void {
    let bytes = chunk;
    if (this.#restBytes > 0) {
      this.#rest.push(chunk);
      this.#restBytes += chunk.length;
      if (this.#restBytes < this.#neededBytes) return;
      bytes = Buffer.concat(this.#rest, this.#restBytes);
      this.#rest = [];
      this.#restBytes = 0;
    }
    this.keepRest(this.split(bytes, onMessage));
  }

  private split(bytes: Buffer, onMessage: (message: Buffer) => void): Buffer {
    let at = 0;
    this.#neededBytes = FRAME_HEADER_BYTES;
    while (bytes.length - at >= FRAME_HEADER_BYTES) {
      const end = at + FRAME_HEADER_BYTES + readMessageLength(bytes, at);
      if (end > bytes.length) {
        this.#neededBytes = end - at;
        break;
      }
      onMessage(bytes.subarray(at + FRAME_HEADER_BYTES, end));
      at = end;
    }
    return bytes.subarray(at);
  }

  private keepRest(rest: Buffer): void {
    if (rest.length === 0) return;
    this.#rest.push(rest);
    this.#restBytes = rest.length;
  }
}

const readMessageLength = (bytes: Buffer, at: number): number => {
  if (bytes[at] !== 0) throw errors.unimplemented('Compressed messages are not supported.');
  const length = bytes.readUInt32BE(at + 1);
  if (length > MESSAGE_BYTES_MAX) {
    throw new RpcError(Status.resourceExhausted, 'Received message exceeds the maximum size.');
  }
  return length;
};
