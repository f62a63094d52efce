import { Body, Controller, Get, HttpCode, Param, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Answer, Does, Refuses } from '../../http/pipeline/answers';
import { Audited, ForOperator } from '../../http/pipeline/audience';
import { DomainError, notFound } from '../../kernel/errors';
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
  @Does('Shows the latest maintenance of the event store, and how far it is.')
  @Answer(StoreMaintenanceResource)
  async show(): Promise<StoreMaintenanceResource> {
    return viewMaintenance(await this.maintenance.status());
  }

  @Post('store/scavenge')
  @HttpCode(202)
  @Audited('store.scavenged', 'store')
  @Does(
    'Removes from the event store what was deleted for good, truncated or has expired.',
    'The embedded store does this by itself within a minute; an EventStoreDB is asked once a day where subscribers were erased. A task that runs goes on.',
  )
  @Answer(StoreMaintenanceResource, { status: 202 })
  async scavenge(): Promise<StoreMaintenanceResource> {
    return viewMaintenance(await this.maintenance.start({ task: 'scavenge' }));
  }

  @Post('store/compact')
  @HttpCode(202)
  @Audited('store.compacted', 'store')
  @Does(
    'Scavenges the embedded event store and writes its file anew.',
    'Afterwards no byte of what was removed is left in the file. The service goes on meanwhile; it needs as much free disk space as the file has.',
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
    'The service goes on meanwhile; the copy has the store as it was at one moment. With an EventStoreDB use its own backup. The SQL database is not copied: it is rebuilt from the log.',
  )
  @Answer(BackupResource, { status: 202 })
  async backUp(
    @Body() { directory, master_key: withMasterKey = true }: StartBackupBody,
  ): Promise<BackupResource> {
    return viewBackup(await this.backups.start(directory, withMasterKey));
  }

  @Get('store/backup')
  @Does('Shows the latest backup that this process made, and how far it is.')
  @Answer(BackupResource)
  showBackup(): BackupResource {
    return viewBackup(this.backups.status);
  }

  @Get('erasures/:subscriberId')
  @Audited('erasure.verified', 'subscriber')
  @Refuses('invalid_state_transition')
  @Does(
    'Searches log, read models, caches, mails and files for what an erasure should have removed.',
    'Caches and files are those of the process that answers.',
  )
  @Answer(ErasureCheckResource)
  async verify(@Param('subscriberId') id: string): Promise<ErasureCheckResource> {
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
