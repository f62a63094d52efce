import type { WireReader } from './wire';
import { measureBytesField, putBytesField, WireError } from './wire';

const CANONICAL = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

export const UUID_TEXT_BYTES = 36;
export const EMPTY_UUID = '00000000-0000-0000-0000-000000000000';

/**
 * Returns a UUID in its canonical text form, in small letters, because ids are compared as text.
 * Throws a WireError for anything else.
 */
export const toCanonicalUuid = (text: string): string => {
  if (CANONICAL.test(text)) return text;
  const lower = text.toLowerCase();
  if (CANONICAL.test(lower)) return lower;
  throw new WireError(`not a UUID: ${JSON.stringify(text)}`);
};

/**
 * Reads the message `UUID`. The official client sends text in field 2; other clients may send two
 * signed halves in field 1.
 */
export const readUuid = (reader: WireReader): string => {
  let uuid = EMPTY_UUID;
  for (let field = reader.readTag(); field !== 0; field = reader.readTag()) {
    if (field === 2) uuid = toCanonicalUuid(reader.readText());
    else if (field === 1) uuid = readStructured(reader.readMessage());
    else reader.skip();
  }
  return uuid;
};

const readStructured = (reader: WireReader): string => {
  let most = 0n;
  let least = 0n;
  for (let field = reader.readTag(); field !== 0; field = reader.readTag()) {
    if (field === 1) most = reader.readVarint64();
    else if (field === 2) least = reader.readVarint64();
    else reader.skip();
  }
  const hex = formatHex64(most) + formatHex64(least);
  return [8, 12, 16, 20, 32].map((end, i) => hex.slice([0, 8, 12, 16, 20][i], end)).join('-');
};

const formatHex64 = (value: bigint): string =>
  BigInt.asUintN(64, value).toString(16).padStart(16, '0');

/** Encodes the message `UUID` with the text in field 2. */
export const encodeUuid = (uuid: string): Buffer => {
  const text = Buffer.from(uuid, 'latin1');
  const message = Buffer.allocUnsafe(measureBytesField(text.length));
  putBytesField(message, 0, 2, text);
  return message;
};
