-- discard(filter, actor, reason, expected): sets dead letters aside for good: they are listed no more, and removed when the grace
-- of retention is over. Until then restore() takes them back.
-- filter is dead_where()'s. expected: the number that a preview has shown.
-- Returns: how many.
-- Raises: PR001 for a filter that makes no sense or without actor and reason, PR012 when one that the filter names by its id
--   is not a dead letter, or when there are more than expected.
-- What waited for one of them, because it has the same ordering key, starts.
-- Touches: delivery, follower, audit and what end_members() touches.
-- postrider: grant operator
-- postrider: after dead_where, end_members, heads_ended, lock_ordered, require_dead, require_expected, write_audit
create or replace function postrider.discard(p_filter jsonb, p_actor text, p_reason text, p_expected bigint default null) returns int
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
    as $$
declare
    v_where text := postrider.dead_where(p_filter);
    v_count int;
    v_ordered bigint[];  -- those that an ordering key waited for
    v_members bigint[];  -- of sets
begin
    perform postrider.lock_ordered();
    perform postrider.require_dead('discard', p_filter, false);
    -- The condition holds again when a row had to be waited for: one that was replayed meanwhile stays.
    execute format('with gone as (
                        update postrider.delivery d set deleted_at = clock_timestamp(), deleted_reason = $1 where %s
                        returning d.id, d.heads, d.seq, d.set_id)
                    select count(*), array_agg(g.id) filter (where g.heads), array_agg(g.seq) filter (where g.set_id is not null)
                    from gone g', v_where)
    into v_count, v_ordered, v_members using left(p_reason, 4000);
    perform postrider.require_expected('discard', p_expected, v_count);
    perform postrider.heads_ended(v_ordered) where v_ordered is not null;
    perform postrider.end_members(v_members) where v_members is not null;
    perform postrider.write_audit(
        p_actor, 'discard', p_reason, p_filter, null, jsonb_build_object('deliveries', v_count));
    return v_count;
end
$$;
