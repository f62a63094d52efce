import { type Static, Type } from '@sinclair/typebox';
import { LISTENER_URL } from '../../delivery/webhook/local-listeners';
import { Text } from '../../http/fields/fields';

const KEY_CHARS_MIN = 32;

export class AdmitListenerBody {
  @Text({
    max: 100,
    pattern: LISTENER_URL,
    patternText: 'must be http://127.0.0.1:<port>/ and 64 hexadecimal digits',
    description: 'The URL of the listener: on this machine, with a path that cannot be guessed.',
    example: `http://127.0.0.1:4000/${'0123456789abcdef'.repeat(4)}`,
  })
  readonly url!: string;

  @Text({
    min: KEY_CHARS_MIN,
    description:
      'The listener proves that it has this key: it answers a `POST` that has the header `x-service-listener-challenge` with the hex HMAC-SHA256 of the challenge.',
    example: 'f3c1a8d2b4e69707f3c1a8d2b4e69707',
  })
  readonly proof_key!: string;
}

export const LocalListenerResource = Type.Object(
  {
    url: Type.String({ description: 'The URL of the listener.' }),
    expires_in_seconds: Type.Integer({
      description:
        'For how many seconds the listener is admitted. Repeating the call extends this.',
      examples: [60],
    }),
  },
  { title: 'LocalListener' },
);
export type LocalListenerResource = Static<typeof LocalListenerResource>;
