import { type Static, Type } from '@sinclair/typebox';
import { Text } from '../../http/fields/fields';
import { Moment, nullable, oneOf } from '../../domain/schema/fields';

export class RotateMasterKeyBody {
  @Text({
    max: 4_096,
    optional: true,
    example: '/run/secrets/new-master-key',
    description:
      'Where the service reads the new key, as an absolute path on its own machine: 32 bytes in base64. Required where MASTER_KEY or MASTER_KEY_FILE is set; elsewhere the service makes and keeps the key itself.',
  })
  readonly new_key_file?: string;
}

export const MasterKeyResource = Type.Object(
  {
    key_id: Type.String({
      example: '0f3a9c51d2e7',
      description: 'Names the current key without telling anything about it.',
    }),
    status: oneOf(['current', 'rotating']),
    previous_key_id: nullable(
      Type.String({ description: 'The key that is being replaced; it has to stay until then.' }),
    ),
    rewrapped: Type.Integer({
      description: 'Texts that this process has put under the new key since it started.',
    }),
    rotated_at: {
      ...nullable(Moment),
      description: 'When the last rotation ended; null where there was none.',
    },
  },
  { title: 'MasterKey' },
);
export type MasterKeyResource = Static<typeof MasterKeyResource>;
