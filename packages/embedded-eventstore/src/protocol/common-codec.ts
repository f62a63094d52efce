import { measureBytesField, putBytesField, putBytesHeader, type WireReader } from '../base/wire';
import { encodeFrame } from './framing';

/** Messages that streams.proto and persistent.proto share. */

/** Reads the name of a `StreamIdentifier`, which is its field 3. */
export const readStreamIdentifier = (reader: WireReader): string => {
  let name = '';
  for (let field = reader.readTag(); field !== 0; field = reader.readTag()) {
    if (field === 3) name = reader.readText();
    else reader.skip();
  }
  return name;
};

/** Encodes the confirmation of a subscription: field 2 with `subscription_id` in its field 1. */
export const encodeConfirmation = (subscriptionId: string): Buffer => {
  const id = Buffer.from(subscriptionId);
  const bytes = measureBytesField(id.length);
  return encodeFrame(measureBytesField(bytes), (target, offset) => {
    putBytesField(target, putBytesHeader(target, offset, 2, bytes), 1, id);
  });
};
