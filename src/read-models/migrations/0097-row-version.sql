-- The version of the rows that a projector writes, and up to which position rows of that version go.
-- A process of an earlier version moves a checkpoint by the function with six parameters, which
-- leaves both as they are: so a later version sees that others have written rows.
alter table service.checkpoints add column row_version integer;
alter table service.checkpoints add column row_version_position bigint;

create function service.move_checkpoint(
  checkpoint text, holder text, from_commit bigint, to_commit bigint, to_prepare bigint,
  is_complete boolean, version integer
) returns void language plpgsql as $$
begin
  perform service.move_checkpoint(
    checkpoint, holder, from_commit, to_commit, to_prepare, is_complete);
  update service.checkpoints set row_version = version, row_version_position = to_commit
    where name = checkpoint;
end $$;
