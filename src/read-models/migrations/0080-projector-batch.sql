-- Functions by which a batch of the projector is written without reading first.

-- Moves a checkpoint that still belongs to its owner and is where the owner left it. Otherwise the
-- whole batch fails (SQLSTATE 55000, object_not_in_prerequisite_state).
create function service.move_checkpoint(
  checkpoint text, holder text, from_commit bigint, to_commit bigint, to_prepare bigint,
  is_complete boolean
) returns void language plpgsql as $$
begin
  update service.checkpoints set commit_position = to_commit, prepare_position = to_prepare,
      complete = is_complete, seen_at = now()
    where name = checkpoint and owner = holder and commit_position = from_commit;
  if not found then
    raise exception 'another process has projected this' using errcode = '55000';
  end if;
end $$;

-- A histogram consists of its first bin, the count of that bin, and the counts of the bins that
-- follow; or it is empty.
create function service.add_histograms(a json, b json) returns json
language plpgsql immutable as $$
declare
  total bigint[] := array(select n::bigint from json_array_elements_text(a) n);
  added bigint[] := array(select n::bigint from json_array_elements_text(b) n);
  swapped bigint[];
begin
  if cardinality(added) = 0 then return a; end if;
  if cardinality(total) = 0 then return b; end if;
  if added[1] < total[1] then
    swapped := total;
    total := added;
    added := swapped;
  end if;
  for i in 2..cardinality(added) loop
    total[i + added[1] - total[1]] := coalesce(total[i + added[1] - total[1]], 0) + added[i];
  end loop;
  return array_to_json(array(
    select coalesce(n, 0) from unnest(total) with ordinality as counts (n, place) order by place));
end $$;

create aggregate service.sum_histograms(json) (
  sfunc = service.add_histograms, stype = json, initcond = '[]'
);
