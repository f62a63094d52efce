import { Body, Controller, Get, HttpCode, Param, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Answer, Does, Refuses } from '../../http/pipeline/answers';
import { Audited, ForOperator } from '../../http/pipeline/audience';
import { DomainError, notFound } from '../../kernel/errors';
import { requireSubscriberId } from '../../kernel/required-ids';
import { ErasureCheck } from '../../services/erasure/erasure-check';
import { StoreMaintenance } from '../../config/store-maintenance';
import { Backups } from '../../services/store-maintenance/backups';
import {
  BackupResource,
  ErasureCheckResource,
  StartBackupBody,
  StoreMaintenanceResource,
  viewBackup,
  viewCheck,
  viewMaintenance,
} from './store.dto';

@ApiTags('Operator')
@ForOperator()
@Controller('operator/v1')
export class StoreController {
  constructor(
    private readonly maintenance: StoreMaintenance,
    private readonly backups: Backups,
    private readonly erasures: ErasureCheck,
  ) {}

  @Get('store')
  @Does('Shows the progress of the latest maintenance of the event store.')
  @Answer(StoreMaintenanceResource)
  async show(): Promise<StoreMaintenanceResource> {
    return viewMaintenance(await this.maintenance.readStatus());
  }

  @Post('store/scavenge')
  @HttpCode(202)
  @Audited('store.scavenged', 'store')
  @Does(
    'Removes deleted, truncated and expired events from the event store.',
    'The embedded store does this by itself within a minute. An EventStoreDB is asked once a day if subscribers were erased. If a task is running already, it continues.',
  )
  @Answer(StoreMaintenanceResource, { status: 202 })
  async scavenge(): Promise<StoreMaintenanceResource> {
    return viewMaintenance(await this.maintenance.start({ task: 'scavenge' }));
  }

  @Post('store/compact')
  @HttpCode(202)
  @Audited('store.compacted', 'store')
  @Does(
    'Scavenges the embedded event store and rewrites its file.',
    'Afterwards the file contains no byte of the removed events. The service keeps running. The disk needs as much free space as the size of the file. A compaction that is interrupted starts again when the service starts.',
  )
  @Answer(StoreMaintenanceResource, { status: 202 })
  async compact(): Promise<StoreMaintenanceResource> {
    return viewMaintenance(await this.maintenance.start({ task: 'compact' }));
  }

  @Post('store/backup')
  @HttpCode(202)
  @Audited('store.backed_up', 'store')
  @Refuses('invalid_state_transition')
  @Does(
    'Copies the embedded event store and the secrets of the service into a directory.',
    'The service keeps running; the copy is the state of the store at one moment. For an EventStoreDB use its own backup. The SQL database is not copied: it is rebuilt from the log.',
  )
  @Answer(BackupResource, { status: 202 })
  async backUp(
    @Body() { directory, master_key: withMasterKey = true }: StartBackupBody,
  ): Promise<BackupResource> {
    return viewBackup(await this.backups.start(directory, withMasterKey));
  }

  @Get('store/backup')
  @Does('Shows the progress of the latest backup that this process made.')
  @Answer(BackupResource)
  showBackup(): BackupResource {
    return viewBackup(this.backups.status);
  }

  @Get('erasures/:subscriberId')
  @Audited('erasure.verified', 'subscriber')
  @Refuses('invalid_state_transition')
  @Does(
    'Searches the log, read models, caches, mails and files for data that an erasure should have removed.',
    'Only the caches and files of the process that answers are searched.',
  )
  @Answer(ErasureCheckResource)
  async verify(@Param('subscriberId') id: string): Promise<ErasureCheckResource> {
    requireSubscriberId(id, 'subscriberId');
    const findings = await this.erasures.check(id);
    if (findings === null) throw notFound('subscriber', 'subscriberId');
    if (findings === undefined) {
      throw new DomainError('invalid_state_transition', 'The subscriber was not erased.', {
        param: 'subscriberId',
      });
    }
    return viewCheck(id, findings);
  }
}
