-- sum_tally(): replaces the changes in dead_letter_tally by their sums, when there are many for each. Whoever counts meanwhile sees
-- the one or the other.
-- Returns: how many changes were summed up.
create or replace function postrider.sum_tally() returns bigint
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    as $$
declare
    v_count bigint;
begin
    if (select count(*) from (select from postrider.dead_letter_tally limit 1000) t) < 1000
       or not pg_try_advisory_xact_lock(1886351206, 0)
       or (select sum(g.changes) < 2 * count(*)
           from (select count(*) as changes from postrider.dead_letter_tally group by consumer_id, handler, fingerprint) g) then
        return 0;
    end if;
    with gone as (
        delete from postrider.dead_letter_tally returning *
    ), kept as (
        insert into postrider.dead_letter_tally
        select consumer_id, handler, fingerprint, sum(change) from gone group by 1, 2, 3 having sum(change) <> 0
    )
    select count(*) into v_count from gone;
    return v_count;
end
$$;
