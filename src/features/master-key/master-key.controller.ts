import { readFileSync } from 'node:fs';
import { Body, Controller, Get, HttpCode, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { KeyRing } from '../../event-store/key-ring';
import { Audited, ForOperator } from '../../http/pipeline/audience';
import { Answer, Does } from '../../http/pipeline/answers';
import { DomainError } from '../../kernel/errors';
import { parseMasterKeys } from '../../config/secrets';
import { MasterKeyResource, RotateMasterKeyBody } from './master-key.dto';
import { Rewrapper } from '../../services/key-rotation/rewrapper';

@ApiTags('Operator')
@ForOperator()
@Controller('operator/v1/master_key')
export class MasterKeyController {
  constructor(
    private readonly ring: KeyRing,
    private readonly rewrapper: Rewrapper,
  ) {}

  @Get()
  @Does('Shows which master key is current, and whether a rotation is under way.')
  @Answer(MasterKeyResource)
  show(): MasterKeyResource {
    const { rotation, rotatedAt } = this.ring.state;
    return {
      key_id: this.ring.keyId,
      status: rotation === null ? 'current' : 'rotating',
      previous_key_id: rotation?.from ?? null,
      rewrapped: this.rewrapper.rewrapped,
      rotated_at: rotatedAt,
    };
  }

  @Post('rotate')
  @HttpCode(202)
  @Does(
    'Starts a rotation of the master key.',
    'Everything is encrypted with the new key in the background; until that is done, the old key stays valid too. If a rotation is running already, it continues.',
  )
  // The events of a rotation are removed from the log when it ends, so they cannot keep who asked for it.
  @Audited('master_key.rotation_started', 'master_key')
  @Answer(MasterKeyResource, { status: 202 })
  async rotate(@Body() { new_key_file: file }: RotateMasterKeyBody): Promise<MasterKeyResource> {
    await this.ring.startRotation(this.readNewKey(file));
    return this.show();
  }

  /** Reads the new key from the file. Returns null if the service creates its keys itself. */
  private readNewKey(file: string | undefined): Uint8Array | null {
    if (this.ring.canCreateKey) {
      if (file === undefined) return null;
      throw toRefusal(
        'The service stores its master key itself and creates the new one. Leave new_key_file out.',
      );
    }
    if (file === undefined) {
      throw toRefusal(
        'The service reads its master key from its configuration, so it cannot create one. Send new_key_file.',
      );
    }
    const keys = parseMasterKeys(readKeyFile(file));
    if (keys?.length === 1) return keys[0];
    throw toRefusal(
      'The file must contain one key: 32 bytes in base64, such as `openssl rand -base64 32` prints.',
    );
  }
}

const readKeyFile = (file: string): string => {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    throw toRefusal('The service cannot read the file. Give an absolute path on its own machine.');
  }
};

const toRefusal = (message: string): DomainError =>
  new DomainError('parameter_invalid', message, { param: 'new_key_file' });
