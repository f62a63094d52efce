import { Message } from 'google-protobuf';

const decodeInScript = Message.bytesAsU8.bind(Message);

/**
 * The client hands JSON data to its generated messages as base64, and these decode it character by
 * character, twice for each append: a twentieth of what a delivery costs this process. Node decodes it
 * natively. Only a way to the same bytes: a client that works otherwise never comes here.
 */
export const decodeBase64Natively = (): void => {
  Message.bytesAsU8 = (value: string): Uint8Array =>
    typeof value === 'string' ? Buffer.from(value, 'base64') : decodeInScript(value);
};
