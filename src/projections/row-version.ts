import { randomUUID } from 'node:crypto';
import { log } from '../ops/log';
import { countMigrations } from '../read-models/migrate';
import type { Database, Session } from '../read-models/database';
import { PROJECTOR_CHECKPOINT } from './checkpoint';
import type { Projection } from './projection';

/**
 * The version of the rows that this code writes. It grows with each migration, so a change of what a
 * projection writes needs a migration, even an empty one.
 */
export const ROW_VERSION = countMigrations();

/**
 * Requests a rebuild of all projections if rows were written by an earlier version: before an
 * upgrade, or during one by an old process that went on. Must run in the transaction in which this
 * process acquires the checkpoint. Rows of a later version stay as they are: it rebuilds what this
 * one writes. Returns true if it has requested one.
 */
export const requestRebuildOfOldRows = async (
  session: Session,
  projections: readonly Projection[],
): Promise<boolean> => {
  const outdated = await session.query({
    text: `update checkpoints set row_version = $2, row_version_position = commit_position
      where name = $1 and commit_position >= 0 and (row_version is null or row_version < $2
        or (row_version = $2 and row_version_position <> commit_position))
      returning name`,
    values: [PROJECTOR_CHECKPOINT, ROW_VERSION],
  });
  if (outdated.length === 0) return false;
  await session.query({
    text: `insert into rebuilds (id, projections, compare, status, created_at)
      values ($1, $2, false, 'queued', now())`,
    values: [
      `rbd_${randomUUID().replaceAll('-', '')}`,
      JSON.stringify(projections.map(({ name }) => name)),
    ],
  });
  return true;
};

/** Starts the requested rebuild at once, and says why there is one. */
export const announceRebuildOfOldRows = ({ rowNotifier }: Database): void => {
  log.info(
    'the read models have rows of an earlier version: they are rebuilt while the service runs',
  );
  rowNotifier.notify('rebuilds', [{}]);
};
