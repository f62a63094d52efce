import { type Static, Type } from '@sinclair/typebox';
import { LISTENER_URL } from '../../delivery/webhook/local-listeners';
import { Text } from '../../http/fields/fields';

const KEY_CHARS_MIN = 32;

export class AdmitListenerBody {
  @Text({
    max: 100,
    pattern: LISTENER_URL,
    patternText: 'must be http://127.0.0.1:<port>/ and 64 hexadecimal digits',
    description: 'Where the listener is: this machine, with a path that cannot be guessed.',
    example: `http://127.0.0.1:4000/${'0123456789abcdef'.repeat(4)}`,
  })
  readonly url!: string;

  @Text({
    min: KEY_CHARS_MIN,
    description:
      'The key that the listener must prove to hold: it answers `POST` with the header `x-service-listener-challenge` by the hex HMAC-SHA256 of the challenge.',
    example: 'f3c1a8d2b4e69707f3c1a8d2b4e69707',
  })
  readonly proof_key!: string;
}

export const LocalListenerResource = Type.Object(
  {
    url: Type.String({ description: 'Where the listener is.' }),
    expires_in_seconds: Type.Integer({
      description: 'How long it is admitted unless it proves itself again.',
      examples: [60],
    }),
  },
  { title: 'LocalListener' },
);
export type LocalListenerResource = Static<typeof LocalListenerResource>;
