import { Message } from 'google-protobuf';

const decodeInJavaScript = Message.bytesAsU8.bind(Message);

/**
 * Makes the client decode base64 natively. The client passes JSON data to its generated messages as
 * base64, and these decode it in JavaScript, twice for each append. That took a twentieth of the
 * processor time of a delivery. If a future client does not use this function, nothing breaks.
 */
export const decodeBase64Natively = (): void => {
  Message.bytesAsU8 = (value: string): Uint8Array =>
    typeof value === 'string' ? Buffer.from(value, 'base64') : decodeInJavaScript(value);
};
