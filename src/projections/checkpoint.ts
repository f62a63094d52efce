import type { LogPosition } from '../event-store/catch-up';
import type { Session } from '../read-models/database';
import type { Change } from '../read-models/statement-batch';

/** Any constant number; with the checkpoint's name it makes the advisory lock of one projector. */
const PROJECTOR_LOCK = 4_310_877;

/** The one that follows the log and writes all read models. */
export const PROJECTOR_CHECKPOINT = 'projector';

/** How far a projector has come, and which process it runs in. */
export interface Checkpoint {
  /** Null = nothing projected yet. */
  readonly position: LogPosition | null;
  /** False while the read models are built from nothing. */
  readonly complete: boolean;
  /** Null = no process. */
  readonly owner: string | null;
  /** Since the owner was last seen. */
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

/** Reads a checkpoint under the projector's advisory lock, held until the transaction ends. */
export const lockCheckpoint = async (session: Session, name: string): Promise<Checkpoint> => {
  await session.query({
    name: 'lock checkpoint',
    text: `select pg_advisory_xact_lock(${PROJECTOR_LOCK}, hashtext($1))`,
    values: [name],
  });
  return readCheckpoint(session, name);
};

interface Move {
  readonly name: string;
  readonly owner: string;
  readonly from: LogPosition | null;
  readonly to: LogPosition | null;
  readonly complete: boolean;
}

/**
 * Compare and set: moves a checkpoint that is still its owner's and where the owner left it. Otherwise
 * the statement fails with `CHECKPOINT_LOST`. Its row stays locked until the transaction ends.
 */
export const moveCheckpoint = ({ name, owner, from, to, complete }: Move): Change => ({
  text: 'select service.move_checkpoint($1, $2, $3, $4, $5, $6)',
  values: [name, owner, commitOf(from), commitOf(to), String(to?.prepare ?? -1n), String(complete)],
});

/** SQLSTATE. */
const CHECKPOINT_LOST = '55000';

export const isCheckpointLost = (error: unknown): boolean =>
  (error as { code?: unknown }).code === CHECKPOINT_LOST;

const commitOf = (position: LogPosition | null): string => String(position?.commit ?? -1n);

type Save = Omit<Checkpoint, 'ageMs'> & { readonly name: string };

export const saveCheckpoint = async (session: Session, save: Save): Promise<void> => {
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
      commitOf(save.position),
      String(save.position?.prepare ?? -1n),
      save.complete,
      save.owner,
    ],
  });
};
