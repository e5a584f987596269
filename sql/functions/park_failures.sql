-- park_failures(lease, seqs, failures): gives messages of a lease that were not delivered deliveries of their own, as what
-- decide() makes of their first attempts. p_failures is settle()'s.
-- Returns: the runs, for run_ended().
-- Raises: PR001 for outcomes nobody knows, PR011 for a handler the message is not owed to.
-- Touches: delivery (insert); message and handler (read); rings.
-- postrider: after locate, park, require_outcomes, ring
create or replace function postrider.park_failures(
    p_lease postrider.lease, p_seqs bigint[], p_failures jsonb
) returns postrider.ended_run[]
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
    v_many boolean := cardinality(p_seqs) > 64;
    v_runs postrider.ended_run[];
    v_missing text;
    f record;
begin
    perform postrider.require_outcomes(p_failures);
    select array_agg(i.seq) as seqs, array_agg(i.item ->> 'handler') as handlers, jsonb_agg(i.item) as outcomes into f
    from (select e.item, (e.item ->> 'seq')::bigint as seq from jsonb_array_elements(p_failures) as e(item)) i
    where case when v_many then i.seq in (select unnest(p_seqs)) else i.seq = any (p_seqs) end;
    v_runs := array(select p from postrider.park(
        p_lease.consumer_id, postrider.locate(p_lease, f.seqs), f.seqs, f.handlers, p_lease.floor_at,
        greatest(p_lease.open_at, p_lease.done_at), f.outcomes) p);
    -- Fewer than reported: two reports of the same, or a handler the message is not owed to.
    if cardinality(v_runs) < cardinality(f.seqs) then
        select format('message %s is not owed to a handler %L', r.seq, r.handler) into v_missing
        from unnest(f.seqs, f.handlers) as r(seq, handler)
        where r.handler is not null
          and not exists (select from postrider.delivery d
                          where d.seq = r.seq and d.consumer_id = p_lease.consumer_id and d.handler = r.handler)
        limit 1;
        if v_missing is not null then
            raise exception using errcode = 'PR011', message = 'settle: ' || v_missing,
                hint = 'Report only handlers that take the type of the message.';
        end if;
    end if;
    perform postrider.ring(c.channel) from postrider.consumer c where c.id = p_lease.consumer_id;
    return v_runs;
end
$$;
