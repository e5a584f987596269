-- discard(filter, actor, reason): sets dead letters aside for good: they are listed no more, and removed when the grace
-- of retention is over. Until then restore() takes them back.
-- filter is dead_where()'s.
-- Returns: how many.
-- Raises: PR001 for a filter that makes no sense or without actor and reason, PR012 when one that the filter names by its id
--   is not a dead letter.
-- Touches: delivery, audit.
-- postrider: grant operator
-- postrider: after dead_where, require_dead, write_audit
create or replace function postrider.discard(p_filter jsonb, p_actor text, p_reason text) returns int
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
    as $$
declare
    v_where text := postrider.dead_where(p_filter);
    v_count int;
begin
    perform postrider.require_dead('discard', p_filter, false);
    -- The condition holds again when a row had to be waited for: one that was replayed meanwhile stays.
    execute format('update postrider.delivery d set deleted_at = clock_timestamp(), deleted_reason = $1 where %s', v_where)
    using left(p_reason, 4000);
    get diagnostics v_count = row_count;
    perform postrider.write_audit(
        p_actor, 'discard', p_reason, p_filter, null, jsonb_build_object('deliveries', v_count));
    return v_count;
end
$$;
