import { type Static, Type } from '@sinclair/typebox';
import { Text } from '../../http/fields/fields';
import { Moment, nullable, oneOf } from '../../domain/schema/fields';

export class RotateMasterKeyBody {
  @Text({
    max: 4_096,
    optional: true,
    example: '/run/secrets/new-master-key',
    description:
      'The absolute path of a file on the machine of the service with the new key: 32 bytes in base64. Required if MASTER_KEY or MASTER_KEY_FILE is set; otherwise the service creates and keeps the key itself.',
  })
  readonly new_key_file?: string;
}

export const MasterKeyResource = Type.Object(
  {
    key_id: Type.String({
      example: '0f3a9c51d2e7',
      description: 'An identifier of the current key. It reveals nothing about the key.',
    }),
    status: oneOf(['current', 'rotating']),
    previous_key_id: nullable(
      Type.String({
        description:
          'The identifier of the key that is being replaced; null if no rotation is running. Keep that key until the rotation ends.',
      }),
    ),
    rewrapped: Type.Integer({
      description: 'How many values this process has encrypted with the new key since it started.',
    }),
    rotated_at: {
      ...nullable(Moment),
      description: 'When the last rotation ended; null if there was none.',
    },
  },
  { title: 'MasterKey' },
);
export type MasterKeyResource = Static<typeof MasterKeyResource>;
