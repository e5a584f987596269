-- park_failures(lease, failures): gives messages of a lease that were not delivered deliveries of their own, as what
-- decide() makes of their first attempts. p_failures is settle()'s; what it says of others than members is passed over.
-- Returns: the members that it names (fewer than all only if there are others), and the runs, for run_ended().
-- Raises: PR001 for outcomes nobody knows, PR011 for a handler the message is not owed to.
-- Touches: delivery (insert); message and handler (read); rings.
-- postrider: after locate, park, require_outcomes, ring
create or replace function postrider.park_failures(
    p_lease postrider.lease, p_failures jsonb, out failed bigint[], out runs postrider.ended_run[]
)
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    set jit = off
    set max_parallel_workers_per_gather = 0
    set enable_seqscan = off
    set enable_bitmapscan = off
    set enable_hashjoin = off
    set enable_mergejoin = off
    set plan_cache_mode = force_generic_plan
    as $$
declare
    v_members bigint[] := p_lease.members;
    v_many boolean := jsonb_array_length(p_failures) > 64;
    v_channel text;
    v_seqs bigint[];  -- of each failure, null if it is not of a member
    v_handlers text[];
    v_missing text;
begin
    perform postrider.require_outcomes(p_failures);
    -- Many are looked up in a hash table. The members are in order of the log, in which seqs mostly rise: then a binary
    -- search finds one, and only where it does not they are compared one by one.
    select array_agg(f.seq), array_agg(f.handler)
    into v_seqs, v_handlers
    from (select case when case when v_many then f.seq in (select unnest(v_members))
                                else v_members[width_bucket(f.seq, v_members)] = f.seq or f.seq = any (v_members) end
                      then f.seq end as seq, f.handler
          from (select (e.item ->> 'seq')::bigint as seq, e.item ->> 'handler' as handler
                from jsonb_array_elements(p_failures) as e(item)) f) f;
    failed := array_remove(v_seqs, null);
    if failed = '{}' then
        return;
    elsif cardinality(failed) >= cardinality(v_members) then
        failed := array(select distinct unnest(failed));
    end if;
    v_channel := (select c.channel from postrider.consumer c where c.id = p_lease.consumer_id);
    runs := postrider.park(
        p_lease.consumer_id, v_channel, postrider.locate(p_lease, v_channel, v_seqs), v_seqs, v_handlers, p_lease.floor_at,
        greatest(p_lease.open_at, p_lease.done_at), p_failures);
    -- Fewer than reported: two reports of the same, or a handler the message is not owed to.
    if cardinality(runs) < cardinality(v_seqs) then
        select format('message %s is not owed to a handler %L', r.seq, r.handler) into v_missing
        from unnest(v_seqs, v_handlers) as r(seq, handler)
        where r.seq is not null and r.handler is not null
          and not exists (select from postrider.delivery d
                          where d.seq = r.seq and d.consumer_id = p_lease.consumer_id and d.handler = r.handler)
        limit 1;
        if v_missing is not null then
            raise exception using errcode = 'PR011', message = 'settle: ' || v_missing,
                hint = 'Report only handlers that take the type of the message.';
        end if;
    end if;
    perform postrider.ring(v_channel);
end
$$;
