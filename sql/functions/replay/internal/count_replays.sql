-- count_replays(): stores the final counts of replays that have ended, so that views need not count their items.
-- Returns: how many it counted. Touches: replay.
create or replace function postrider.count_replays() returns int
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    as $$
declare
    v_count int;
begin
    update postrider.replay r
    set counts = (
        select array[count(*) filter (where i.outcome = 'delivered'), count(*) filter (where i.outcome = 'failed'),
                     count(*) filter (where i.outcome = 'skipped'), count(*) filter (where i.outcome = 'cancelled')]
        from postrider.replay_item i where i.replay_id = r.id)
    where r.id in (
        select e.id from postrider.replay e
        where e.ended_at is not null and e.counts is null
          -- Items that were moved can still end.
          and not exists (select from postrider.replay_item i where i.replay_id = e.id and i.outcome = 'moved')
        limit 10
        for no key update skip locked);
    get diagnostics v_count = row_count;
    return v_count;
end
$$;
