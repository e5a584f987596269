-- tail_bound(from, interval, now): where the partition ends that the tail of the log becomes. A large tail is prepared for that in
-- steps, one per call and transaction, so that no scan of it runs under a lock that stops publishing:
--   the newest message is searched, and a constraint NOT VALID keeps later ones below the bound
--   the constraint is validated, while publishing goes on; attaching the tail as a partition then needs no scan
-- The bound leaves as much time as passed since the tail began: until the tail is a partition, nothing can be published
-- beyond it.
-- Returns: the bound, null when another step is needed: call again in another transaction.
-- Raises: 55P03 when the log was busy.
-- Touches: the table message_tail.
create or replace function postrider.tail_bound(p_from timestamptz, p_interval interval, p_now timestamptz) returns timestamptz
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    set timezone = 'UTC'
    set datestyle = 'ISO'
    as $$
declare
    v_small constant bigint := 8388608;  -- bytes: a scan takes a few milliseconds
    v_bound timestamptz;
    v_valid boolean;
    v_oldest timestamptz;
    v_newest timestamptz;
begin
    select substring(pg_get_constraintdef(c.oid) from '< ''([^'']+)''')::timestamptz, c.convalidated into v_bound, v_valid
    from pg_constraint c where c.conrelid = 'postrider.message_tail'::regclass and c.conname = 'message_tail_bound';
    if v_valid then
        return v_bound;
    elsif v_bound is not null then
        begin
            alter table postrider.message_tail validate constraint message_tail_bound;
        exception when check_violation then
            -- A message with another clock was published between the search and the constraint: start again.
            alter table postrider.message_tail drop constraint message_tail_bound;
        end;
        return null;
    end if;
    select min(published_at), max(published_at) into v_oldest, v_newest from postrider.message_tail;
    if pg_relation_size('postrider.message_tail') <= v_small then
        return date_bin(p_interval, greatest(p_now, v_newest), 'epoch') + 2 * p_interval;
    end if;
    v_bound := date_bin(p_interval, greatest(p_now, v_newest, p_now + (p_now - coalesce(p_from, v_oldest))), 'epoch')
        + 2 * p_interval;
    execute format('alter table postrider.message_tail add constraint message_tail_bound check (%s published_at < %L) not valid',
                   coalesce(format('published_at >= %L and', p_from), ''), v_bound);
    return null;
end
$$;
