import { type Static, Type } from '@sinclair/typebox';
import type { BackupStatus } from '../../services/store-maintenance/backups';
import { Flag, Text } from '../../http/fields/fields';
import { Moment, nullable, oneOf } from '../../domain/schema/fields';
import { ERASURE_PLACES, type ErasureFinding } from '../../services/erasure/erasure-check';
import type { StoreMaintenanceStatus } from '../../config/store-maintenance';
import { fromMillis, type Instant } from '../../kernel/time';

export const StoreMaintenanceResource = Type.Object(
  {
    task: {
      ...nullable(oneOf(['scavenge', 'compact', 'backup'])),
      description: 'The latest task; null if there was none.',
    },
    /**
     * `started` means that an EventStoreDB was asked for a scavenge. EventStoreDB does not report
     * its progress.
     */
    status: oneOf(['never_run', 'started', 'running', 'completed', 'failed']),
    percent: nullable(
      Type.Integer({ description: 'The progress of a compaction or backup in percent.' }),
    ),
    events_removed: nullable(
      Type.Integer({ description: 'How many events the task has removed from the store.' }),
    ),
    error: nullable(Type.String()),
    started_at: nullable(Moment),
    finished_at: nullable(Moment),
  },
  { title: 'StoreMaintenance' },
);
export type StoreMaintenanceResource = Static<typeof StoreMaintenanceResource>;

export const viewMaintenance = (status: StoreMaintenanceStatus): StoreMaintenanceResource => ({
  task: status.task,
  status: status.state,
  percent: status.percent,
  events_removed: status.eventsRemoved,
  error: status.error,
  started_at: toInstant(status.startedAtMs),
  finished_at: toInstant(status.finishedAtMs),
});

const toInstant = (ms: number | null): Instant | null => (ms === null ? null : fromMillis(ms));

export class StartBackupBody {
  @Text({
    max: 4_096,
    example: '/var/backups/subscriptions/2026-01-31',
    description:
      'The absolute path of a new or empty directory on the machine of the service, which its account can write. It must be outside of the data directory.',
  })
  readonly directory!: string;

  @Flag({
    optional: true,
    default: true,
    description:
      'Whether to copy the master key too, if the service keeps it in its data directory. Without the key nobody can read the backup.',
  })
  readonly master_key?: boolean;
}

export const BackupResource = Type.Object(
  {
    status: oneOf(['never_run', 'running', 'completed', 'failed']),
    directory: nullable(Type.String()),
    percent: nullable(Type.Integer({ description: 'The progress of the copy in percent.' })),
    files: Type.Array(Type.String(), {
      description: 'The files of a completed backup, relative to the directory.',
    }),
    bytes: nullable(Type.Integer()),
    error: nullable(Type.String()),
    started_at: nullable(Moment),
    finished_at: nullable(Moment),
  },
  { title: 'Backup' },
);
export type BackupResource = Static<typeof BackupResource>;

export const viewBackup = (status: BackupStatus): BackupResource => ({
  status: status.state,
  directory: status.directory,
  percent: status.percent,
  files: [...status.files],
  bytes: status.bytes,
  error: status.error,
  started_at: toInstant(status.startedAtMs),
  finished_at: toInstant(status.finishedAtMs),
});

export const ErasureCheckResource = Type.Object(
  {
    subscriber_id: Type.String(),
    complete: Type.Boolean({
      description: 'True if no personal data of the subscriber was found.',
    }),
    findings: Type.Array(
      Type.Object({
        place: {
          ...oneOf([...ERASURE_PLACES]),
          description: 'The place.',
        },
        found: Type.String({ description: 'The names of what was found there, never the values.' }),
      }),
      { description: 'The places where data was found that the erasure should have removed.' },
    ),
  },
  { title: 'ErasureCheck' },
);
export type ErasureCheckResource = Static<typeof ErasureCheckResource>;

export const viewCheck = (
  id: string,
  findings: readonly ErasureFinding[],
): ErasureCheckResource => ({
  subscriber_id: id,
  complete: findings.length === 0,
  findings: [...findings],
});
