-- discard(filter, actor, reason, expected): discards dead letters: lists no longer show them, and retention removes them when the
-- grace is over. Until then restore() brings them back.
-- filter is dead_where()'s. expected: the number that a preview has shown.
-- Returns: how many.
-- Raises: PR001 for an invalid filter or without actor and reason, PR012 when one that the filter names by its id is not a dead
--   letter, or when there are more than expected, 55P03 as take_claim_locks() for the ordered consumers of these dead letters,
--   or when another transaction holds one of them.
-- The next messages of ordering keys that one of them held start.
-- Touches: delivery, follower, audit and the tables that end_members() touches.
-- postrider: grant operator
-- postrider: after dead_where, end_members, heads_ended, require_dead, require_expected, take_claim_locks, write_audit
create or replace function postrider.discard(p_filter jsonb, p_actor text, p_reason text, p_expected bigint default null) returns int
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
    set lock_timeout = '100ms'  -- claims of several roles wait meanwhile
    as $$
declare
    v_where text := postrider.dead_where(p_filter);
    v_count int;
    v_locked int[];  -- ordered consumers of these dead letters
    v_ordered bigint[];  -- those that an ordering key waited for
    v_members bigint[];  -- of sets
begin
    -- Locks no other consumer: one of its workers may hold the claim lock for long.
    execute format('select array(select c.id from postrider.consumer c
                                 where c.ordered and exists (select from postrider.delivery d where d.consumer_id = c.id and %s)
                                 order by c.id)', v_where) into v_locked;
    perform postrider.take_claim_locks(v_locked);
    perform postrider.require_dead('discard', p_filter, false);
    -- After a wait for a row lock PostgreSQL evaluates the condition again, so a dead letter that was replayed in
    -- between stays.
    execute format('with gone as (
                        update postrider.delivery d set deleted_at = clock_timestamp(), deleted_reason = $1
                        where %s and (d.heads is null or d.consumer_id = any ($2))
                        returning d.id, d.heads, d.seq, d.set_id)
                    select count(*), array_agg(g.id) filter (where g.heads), array_agg(g.seq) filter (where g.set_id is not null)
                    from gone g', v_where)
    into v_count, v_ordered, v_members using left(p_reason, 4000), v_locked;
    perform postrider.require_expected('discard', p_expected, v_count);
    perform postrider.heads_ended(v_ordered) where v_ordered is not null;
    perform postrider.end_members(v_members) where v_members is not null;
    perform postrider.write_audit(
        p_actor, 'discard', p_reason, p_filter, null, jsonb_build_object('deliveries', v_count));
    return v_count;
end
$$;
