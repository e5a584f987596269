-- exchange(worker, limit, …): claims the next messages and settles a finished lease, in one round trip.
-- p_lease and p_token name the lease to settle (null: none); p_delivered and p_failures are settle()'s.
-- p_deadline is how long the new lease may be held (null: the consumer's, then 15 minutes).
-- Returns: one row per claimed message, in log order, never more than p_limit (an idempotency_key that is null
--   is the id), then one summary row with seq null: `settled` is settle()'s result (null: nothing was to
--   settle), lease_id and lease_token name the new lease (null: nothing was claimed), `parked` is how many
--   deliveries were made of messages that have to wait. No message but parked > 0: there may be more.
-- Raises: PR001 bad limit, PR004 unknown worker, PR005 not READ COMMITTED, PR006 moved to another cluster.
-- Touches: lease, delivery, message (read).
--
-- The open segment is what open_snapshot shows and done_snapshot does not: fixed for ever, so it can be
-- handed out piece by piece in (xid, seq) order. The settings below keep the plans index range scans of as
-- many rows as are claimed, whatever the statistics say. A limit ends such a scan; an upper bound on
-- (xid, seq) would not. Every statement here costs as much as several messages, so there are few.
-- postrider: after require_read_committed, require_cluster, require_worker, settle, set_aside, move_cursor, ring, current_snapshot, log_late, log_range, wants
create or replace function postrider.exchange(
    p_worker uuid,
    p_limit int,
    p_lease bigint default null,
    p_token uuid default null,
    p_delivered bigint[] default null,
    p_failures jsonb default null,
    p_deadline interval default null
) returns setof postrider.claimed
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
    set jit = off
    set max_parallel_workers_per_gather = 0
    set enable_seqscan = off
    set enable_bitmapscan = off
    set enable_hashjoin = off
    set enable_mergejoin = off
    set plan_cache_mode = force_generic_plan
    as $$
#variable_conflict use_column
declare
    v_entered_at timestamptz := clock_timestamp();
    v_own_xid boolean := pg_current_xact_id_if_assigned() is null;  -- assigned, if at all, after v_entered_at
    v_now timestamptz;
    w record;                     -- the worker
    c record;                     -- its consumer and the consumer's cursor
    r record;                     -- a message; `parked` is null in one that can be handed out as it is
    v_advanced boolean := false;
    v_to_xid xid8;                -- how far the log was read
    v_to_seq bigint;
    v_seqs bigint[] := '{}';      -- what is handed out
    v_made int;
    v_ours boolean;
    v_summary postrider.claimed;
begin
    if current_setting('transaction_isolation') <> 'read committed' then
        perform postrider.require_read_committed('claim');
    end if;
    if current_setting('postrider.claims', true) is distinct from 'known' then
        perform postrider.require_cluster();
    end if;
    if p_limit is null or p_limit not between 0 and 10000 then
        raise exception using errcode = 'PR001', message = 'claim: the limit must be between 0 and 10000';
    end if;
    -- Claims of one consumer are short and serial; the work they hand out is parallel.
    select w.consumer_id, w.handlers,
           case when p_limit > 0 then pg_advisory_xact_lock(1886351202, w.consumer_id) is not null end as locked
    into w
    from postrider.worker w where w.id = p_worker;
    if not found then
        perform postrider.require_worker(p_worker);
    end if;
    v_now := clock_timestamp();
    if v_now - v_entered_at > interval '30 minutes' then
        -- A wait this long would eat up the slack of the upper bound on published_at.
        v_entered_at := v_now;
        v_own_xid := false;
    end if;
    v_summary.parked := 0;

    if p_limit > 0 then
        select c.name, c.channel, c.paused or c.held_handlers @> c.handlers as paused, c.all_types, c.exact_types, c.type_prefixes,
               coalesce(p_deadline, c.lease_deadline, interval '15 minutes') as deadline,
               w.handlers @> c.handlers as complete,
               l.done_snapshot as done, l.open_snapshot as open, l.done_xid, l.open_xid, l.done_at,
               l.open_at, l.floor_at, greatest(l.open_at, l.done_at) as ceiling_at,
               l.to_xid as xid, l.to_seq as seq, l.claimed_at
        into c
        from postrider.consumer c
        cross join lateral (
            select * from postrider.lease l where l.consumer_id = c.id order by l.id desc limit 1) l
        where c.id = w.consumer_id;
    end if;

    while p_limit > 0 loop
        exit when c.paused;
        -- Late committers come first: their xids are lower than those of the range. Most segments have none.
        if pg_snapshot_xmin(c.done) < pg_snapshot_xmax(c.done) and c.xid < pg_snapshot_xmax(c.done) then
            for r in
                select null::text, case when m.target is not null or m.available_at is not null
                                             or m.priority <> 0 then 0 end as parked,
                       null::bigint, null::uuid, m.seq, m.id, m.event_type, m.event_version, m.occurred_at, m.source,
                       m.target, m.workspace_id, m.payload, m.headers, m.idempotency_key, m.ordering_key,
                       m.partition_key, m.trace_context, m.content_class, m.generation, m.xid
                from postrider.log_late(
                    c.channel, c.done, c.open, c.xid, c.seq, pg_snapshot_xmax(c.open), 0, c.floor_at, c.ceiling_at) m
                where postrider.wants(c.name, c.all_types, c.exact_types, c.type_prefixes, m.target, m.event_type)
                limit p_limit
            loop
                v_to_xid := r.xid;
                v_to_seq := r.seq;
                if r.parked is not null or not c.complete then
                    select s.parked, s.ours into v_made, v_ours
                    from postrider.set_aside(
                        w.consumer_id, w.handlers, c.channel, r.xid, r.seq, c.floor_at, c.ceiling_at) s;
                    v_summary.parked := v_summary.parked + v_made;
                    continue when not v_ours;
                    r.parked := null;
                end if;
                v_seqs := v_seqs || r.seq;
                return next r;
            end loop;
        end if;
        if v_to_xid is null then
            for r in
                select null::text, case when m.target is not null or m.available_at is not null
                                             or m.priority <> 0 then 0 end as parked,
                       null::bigint, null::uuid, m.seq, m.id, m.event_type, m.event_version, m.occurred_at, m.source,
                       m.target, m.workspace_id, m.payload, m.headers, m.idempotency_key, m.ordering_key,
                       m.partition_key, m.trace_context, m.content_class, m.generation, m.xid
                from postrider.log_range(
                    c.channel, c.done, c.open, c.xid, c.seq, pg_snapshot_xmax(c.open), c.floor_at, c.ceiling_at) m
                where postrider.wants(c.name, c.all_types, c.exact_types, c.type_prefixes, m.target, m.event_type)
                limit p_limit
            loop
                v_to_xid := r.xid;
                v_to_seq := r.seq;
                if r.parked is not null or not c.complete then
                    select s.parked, s.ours into v_made, v_ours
                    from postrider.set_aside(
                        w.consumer_id, w.handlers, c.channel, r.xid, r.seq, c.floor_at, c.ceiling_at) s;
                    v_summary.parked := v_summary.parked + v_made;
                    continue when not v_ours;
                    r.parked := null;
                end if;
                v_seqs := v_seqs || r.seq;
                return next r;
            end loop;
        end if;
        exit when v_to_xid is not null or v_advanced;

        -- The segment is finished: everything in it is handed out. Open the next one and look once more.
        if pg_snapshot_xmin(c.open) > c.done_xid then
            -- What `open` does not show has a higher xid than one assigned after done_at.
            c.floor_at := least(c.done_at, clock_timestamp());
        end if;
        c.done := c.open;
        c.done_xid := c.open_xid;
        c.done_at := c.open_at;
        -- This call's own xid is noted with it, assigned after it; if the transaction had one before, none is.
        c.open_at := v_entered_at;
        c.open_xid := '18446744073709551615';
        c.ceiling_at := greatest(c.open_at, c.done_at);
        c.open := case when v_own_xid then pg_current_snapshot() else postrider.current_snapshot() end;
        c.xid := '0';
        c.seq := 0;
        v_advanced := true;
    end loop;

    if v_to_xid is not null then
        insert into postrider.lease as l (
            consumer_id, token, worker_id, done_snapshot, open_snapshot, done_xid, open_xid, done_at, open_at,
            floor_at, from_xid, from_seq, to_xid, to_seq, members, claimed_at, deadline, finished_at)
        values (
            w.consumer_id, gen_random_uuid(), p_worker, c.done, c.open, c.done_xid,
            case when v_advanced and v_own_xid then pg_current_xact_id() else c.open_xid end, c.done_at, c.open_at,
            c.floor_at, c.xid, c.seq, v_to_xid, v_to_seq, v_seqs, v_now, v_now + c.deadline,
            case when v_seqs = '{}' then v_now end)
        returning l.id, l.token into v_summary.lease_id, v_summary.lease_token;
        if v_seqs = '{}' then
            v_summary.lease_id := null;
            v_summary.lease_token := null;
        end if;
        if v_summary.parked > 0 then
            perform postrider.ring(c.channel);
        end if;
    elsif v_advanced then
        -- Nothing to hand out. The cursor moves over what was passed over, and now and then in any case: its
        -- snapshots name the transactions to look up one by one, its floor the partitions to look in.
        if c.claimed_at < v_now - interval '1 minute'
           or exists (select from postrider.log_range(
                          c.channel, c.done, c.open, '0', 0, pg_snapshot_xmax(c.open), c.floor_at,
                          c.ceiling_at)) then
            perform postrider.move_cursor(
                w.consumer_id, c.done, c.open, c.done_xid,
                case when v_own_xid then pg_current_xact_id() else c.open_xid end, c.done_at, c.open_at,
                c.floor_at);
        end if;
    end if;

    -- Settled last: the snapshot above must not be taken by a transaction that has an id already.
    if p_lease is not null then
        if p_delivered is null and p_failures is null then
            update postrider.lease l
            set members = '{}', finished_at = clock_timestamp()
            where l.consumer_id = w.consumer_id and l.id = p_lease and l.token = p_token
              and l.worker_id = p_worker and l.finished_at is null;
            v_summary.settled := case when found then 'settled' end;
        end if;
        if v_summary.settled is null then
            v_summary.settled := postrider.settle(p_worker, p_lease, p_token, p_delivered, p_failures);
        end if;
    end if;
    return next v_summary;
end
$$;
