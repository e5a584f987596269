-- sum_tally(): moves the changes in dead_letter_tally to dead_letter_sum, when there are many. A concurrent count sees
-- each change in exactly one of the two tables.
-- Returns: how many changes were summed up. Touches: dead_letter_tally, dead_letter_sum.
-- postrider: after lock_tally
create or replace function postrider.sum_tally() returns bigint
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    as $$
declare
    v_count bigint;
begin
    if (select count(*) from (select from postrider.dead_letter_tally limit 1000) t) < 1000
       or not pg_try_advisory_xact_lock(postrider.lock_tally(), 0) then
        return 0;
    end if;
    with gone as (
        delete from postrider.dead_letter_tally returning *
    ), change as materialized (
        select consumer_id, handler, coalesce(fingerprint, '') as print, fingerprint, event_type, sum(change) as change, count(*) as n
        from gone group by 1, 2, 3, 4, 5
    ), was as (
        delete from postrider.dead_letter_sum s using change c
        where s.consumer_id = c.consumer_id and s.handler = c.handler and s.event_type = c.event_type
          and coalesce(s.fingerprint, '') = c.print
        returning s.*
    ), kept as (
        insert into postrider.dead_letter_sum
        select consumer_id, handler, fingerprint, event_type, sum(count)
        from (select consumer_id, handler, fingerprint, event_type, count from was
              union all
              select consumer_id, handler, fingerprint, event_type, change from change) k
        group by 1, 2, 3, 4 having sum(count) <> 0
    )
    select coalesce(sum(n), 0) into v_count from change;
    return v_count;
end
$$;
