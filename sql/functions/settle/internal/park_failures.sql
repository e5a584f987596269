-- park_failures(lease, failures): makes deliveries of messages of a lease that were not delivered, with the status that
-- decide() chooses. p_failures is settle()'s; failures of messages that are not members are ignored.
-- Returns: the members that it names (fewer than all only if there are others), and the runs, for run_ended().
-- Raises: PR001 for unknown outcomes and failures without a seq, PR011 for a handler the message is not owed to.
-- Touches: delivery (insert); message and handler (read); rings.
-- postrider: after locate, park_ended, require_outcomes, ring
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
    -- In strict mode an element without the key ends the query early, so the result is shorter.
    v_named_seqs text := jsonb_path_query_array(p_failures, 'strict $[*].seq', '{}', true)::text;
    v_many boolean := jsonb_array_length(p_failures) > 64;
    v_named jsonb := jsonb_path_query_array(p_failures, '$[*].handler ? (@ != null)');
    v_consumer int := abs(p_lease.consumer_id);
    v_channel text := (select c.channel from postrider.consumer c where c.id = v_consumer);
    v_place postrider.ended_place := row(
        v_consumer, v_channel, null, null, v_members, coalesce((p_lease.taken).from_at, p_lease.floor_at),
        coalesce((p_lease.taken).to_at, p_lease.ceiling_at), case when p_lease.taken is not null then p_lease.claimed_at end,
        p_lease.worker_id)::postrider.ended_place;
    v_first bigint := greatest(p_lease.from_xid, pg_snapshot_xmax(p_lease.done_snapshot))::text::bigint;
    v_last bigint := p_lease.to_xid::text::bigint;
    v_seqs bigint[];  -- of each failure, null if it is not of a member
    v_handlers text[];
    v_missing text;
begin
    perform postrider.require_outcomes(p_failures, '{seq,handler,earlier}');
    -- A message that is not named counts as delivered, so every form of a seq has to be recognised.
    if v_named_seqs !~ '^[[]((-?[0-9]{1,18}|"-?[0-9]{1,18}")(, (-?[0-9]{1,18}|"-?[0-9]{1,18}"))*)?[]]$' then
        v_named_seqs := '[]';
    end if;
    failed := translate(v_named_seqs, '[]"', '{}');
    if cardinality(failed) < jsonb_array_length(p_failures) then
        raise exception using errcode = 'PR001', message = 'settle: every failure must have a seq, an integer number';
    end if;
    -- If the lease spans at most 8 transaction ids, all of them are tried. If every failure then became a delivery, all
    -- failures are valid.
    if v_last - v_first between 0 and 7 and jsonb_array_length(v_named) = cardinality(failed) and v_place.waited_at is null then
        v_place.near := array(select n::text::xid8 from generate_series(v_first, v_last) as n);
        runs := postrider.park_ended(v_place, p_failures);
    end if;
    if cardinality(runs) is distinct from cardinality(failed) then
        -- Many seqs are looked up in a hash table, few by a binary search, and by a linear search if that fails.
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
        end if;
        -- locate() returns null for a seq that is not a member.
        v_place.near := null;
        v_place.members := null;
        v_place.xids := postrider.locate(p_lease, v_channel, v_seqs);
        runs := runs || postrider.park_ended(v_place, p_failures);
        -- Fewer runs than failures: one was reported twice, or for a handler that the message is not for.
        if cardinality(runs) < cardinality(v_seqs) then
            select format('message %s is not for a handler %L', r.seq, r.handler) into v_missing
            from unnest(v_seqs, v_handlers) as r(seq, handler)
            where r.seq is not null and r.handler is not null
              and not exists (select from postrider.delivery d
                              where d.seq = r.seq and v_consumer in (d.consumer_id, d.origin_id) and d.handler = r.handler)
            limit 1;
            if v_missing is not null then
                raise exception using errcode = 'PR011', message = 'settle: ' || v_missing,
                    hint = 'Report only handlers that accept the type of the message.';
            end if;
        end if;
    end if;
    if cardinality(failed) >= cardinality(v_members) then
        failed := array(select distinct unnest(failed));
    end if;
    perform postrider.ring(v_channel);
end
$$;
