import type { LogPosition } from '../event-store/catch-up';
import type { Session } from '../read-models/database';
import type { ChangeStatement } from '../read-models/statement-batch';

/**
 * A constant number. Together with the name of the checkpoint it identifies the advisory lock of a
 * projector.
 */
const PROJECTOR_LOCK = 4_310_877;

/** Name of the checkpoint of the projector that writes all read models. */
export const PROJECTOR_CHECKPOINT = 'projector';

/** The position of a projector, and the process in which it runs. */
export interface Checkpoint {
  /** Position of the last projected event; null if nothing is projected yet. */
  readonly position: LogPosition | null;
  /** False while the read models are being built from an empty state. */
  readonly complete: boolean;
  /** Id of the process; null if none. */
  readonly owner: string | null;
  /** Milliseconds since the last heartbeat of the owner. */
  readonly ageMs: number;
}

interface Row {
  readonly commit: string;
  readonly prepare: string;
  readonly complete: boolean;
  readonly owner: string | null;
  readonly age_ms: string;
}

export const readCheckpoint = async (session: Session, name: string): Promise<Checkpoint> => {
  const [row] = await session.query<Row>({
    name: 'read checkpoint',
    text: `select commit_position as commit, prepare_position as prepare, complete, owner,
        extract(epoch from now() - seen_at) * 1000 as age_ms
      from checkpoints where name = $1`,
    values: [name],
  });
  if (row === undefined) return { position: null, complete: false, owner: null, ageMs: Infinity };
  const commit = BigInt(row.commit);
  return {
    position: commit < 0n ? null : { commit, prepare: BigInt(row.prepare) },
    complete: row.complete,
    owner: row.owner,
    ageMs: Number(row.age_ms),
  };
};

/**
 * Reads a checkpoint and takes the projector's advisory lock, which is held until the transaction
 * ends.
 */
export const lockCheckpoint = async (session: Session, name: string): Promise<Checkpoint> => {
  await session.query({
    name: 'lock checkpoint',
    text: `select pg_advisory_xact_lock(${PROJECTOR_LOCK}, hashtext($1))`,
    values: [name],
  });
  return readCheckpoint(session, name);
};

interface CheckpointMove {
  readonly name: string;
  readonly owner: string;
  readonly from: LogPosition | null;
  readonly to: LogPosition | null;
  readonly complete: boolean;
  /** Version of the rows up to the new position (`row-version.ts`). */
  readonly rowVersion: number;
}

/**
 * Creates the statement that moves a checkpoint (compare and set). It fails with `CHECKPOINT_LOST`
 * unless the checkpoint still belongs to the owner and is where the owner left it. Its row stays
 * locked until the transaction ends.
 */
export const moveCheckpoint = ({
  name,
  owner,
  from,
  to,
  complete,
  rowVersion,
}: CheckpointMove): ChangeStatement => ({
  text: 'select service.move_checkpoint($1, $2, $3, $4, $5, $6, $7)',
  values: [
    name,
    owner,
    toCommit(from),
    toCommit(to),
    String(to?.prepare ?? -1n),
    String(complete),
    String(rowVersion),
  ],
});

/** SQLSTATE object_not_in_prerequisite_state, which `service.move_checkpoint` raises. */
const CHECKPOINT_LOST = '55000';

export const isCheckpointLost = (error: unknown): boolean =>
  (error as { code?: unknown }).code === CHECKPOINT_LOST;

const toCommit = (position: LogPosition | null): string => String(position?.commit ?? -1n);

type SavedCheckpoint = Omit<Checkpoint, 'ageMs'> & { readonly name: string };

export const saveCheckpoint = async (session: Session, save: SavedCheckpoint): Promise<void> => {
  await session.query({
    name: 'save checkpoint',
    text: `insert into checkpoints
        (name, commit_position, prepare_position, complete, owner, seen_at)
      values ($1, $2, $3, $4, $5, now())
      on conflict (name) do update set commit_position = excluded.commit_position,
        prepare_position = excluded.prepare_position, complete = excluded.complete,
        owner = excluded.owner, seen_at = now()`,
    values: [
      save.name,
      toCommit(save.position),
      String(save.position?.prepare ?? -1n),
      save.complete,
      save.owner,
    ],
  });
};
