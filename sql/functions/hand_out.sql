-- hand_out(worker, consumer_id, limit, lease, token, delivered, failures, deadline, packed): claims the next messages
-- and settles a finished lease; what exchange() and exchange_packed() have in common. The arguments are theirs;
-- p_packed: into `messages`, otherwise into `rows`.
-- Raises: what exchange() raises. Touches: lease, delivery, message (read).
--
-- The open segment is what `open` shows and `done` does not: fixed for ever, so it can be handed out piece by piece
-- in (xid, seq) order. Every statement costs as much as a dozen messages, so there are three: where the consumer
-- stands, the messages, the leases. Its plans are index range scans of as many rows as are claimed only under the
-- settings of its callers. A limit ends such a scan; an upper bound on (xid, seq) would not.
-- postrider: after require_read_committed, require_worker, settle, pick, move_cursor, ring, current_snapshot, log_range, wants
create or replace function postrider.hand_out(
    p_worker uuid, p_consumer_id int, p_limit int, p_lease bigint, p_token uuid, p_delivered bigint[],
    p_failures jsonb, p_deadline interval, p_packed boolean
) returns postrider.handed_out
    language plpgsql volatile
    as $$
#variable_conflict use_column
declare
    v_entered_at timestamptz := clock_timestamp();
    v_own_xid boolean := pg_current_xact_id_if_assigned() is null;  -- assigned, if at all, after v_entered_at
    v_now timestamptz;
    v_complete boolean;           -- whether the worker has all handlers of the consumer
    v_fast boolean;               -- whether all of a batch can be read at once
    v_name text;
    v_channel text;
    v_paused boolean;
    v_all_types boolean;
    v_exact_types text[];
    v_type_prefixes text[];
    v_deadline interval;
    v_late boolean;               -- late committers may be left
    v_done pg_snapshot;           -- the segment
    v_open pg_snapshot;
    v_done_xid xid8;
    v_open_xid xid8;
    v_done_at timestamptz;
    v_open_at timestamptz;
    v_floor_at timestamptz;
    v_ceiling_at timestamptz;
    v_end xid8;
    v_low timestamptz;            -- where in the log it can be, an hour of slack included
    v_high timestamptz;
    v_xid xid8;                   -- how far it is handed out
    v_seq bigint;
    v_moved_at timestamptz;
    v_advanced boolean := false;
    v_to_xid xid8;                -- how far it is handed out now
    v_to_seq bigint;
    v_seqs bigint[];              -- what is handed out
    v_special boolean;            -- something has to be looked at one by one
    v_parked int := 0;
    v_messages bytea;
    v_rows postrider.claimed[];
    v_lease bigint;
    v_token uuid;
    v_settled text;
    v_result postrider.handed_out;
begin
    if p_limit is null or p_limit not between 1 and 10000
       or current_setting('transaction_isolation') <> 'read committed' then
        perform postrider.require_read_committed('claim');
        if p_limit is null or p_limit not between 0 and 10000 then
            raise exception using errcode = 'PR001', message = 'claim: the limit must be between 0 and 10000';
        elsif p_limit = 0 then
            return row(case when p_lease is not null then
                           postrider.settle(p_worker, p_lease, p_token, p_delivered, p_failures) end,
                       0, null::bigint, null::uuid, null::bytea, null::postrider.claimed[]);
        end if;
    end if;
    -- Claims of one consumer are short and serial; the work they hand out is parallel.
    v_now := case when pg_advisory_xact_lock(1886351202, p_consumer_id) is not null then clock_timestamp() end;
    -- The newest lease cannot be older than one of the worker's; without this the scan reads a whole page.
    select w.handlers @> c.handlers, w.handlers @> c.handlers and p_limit <= 1000, c.name, c.channel,
           coalesce(c.paused or c.held_handlers @> c.handlers, false), c.all_types, c.exact_types, c.type_prefixes,
           coalesce(p_deadline, c.lease_deadline, interval '15 minutes'), l.done_snapshot, l.open_snapshot, l.done_xid,
           l.open_xid, l.done_at, l.open_at, l.floor_at, pg_snapshot_xmax(l.open_snapshot),
           l.floor_at - interval '1 hour', greatest(l.open_at, l.done_at),
           greatest(l.open_at, l.done_at) + interval '1 hour', l.to_xid < pg_snapshot_xmax(l.done_snapshot)
               and pg_snapshot_xmin(l.done_snapshot) < pg_snapshot_xmax(l.done_snapshot),
           l.to_xid, l.to_seq, l.claimed_at
    into v_complete, v_fast, v_name, v_channel, v_paused, v_all_types, v_exact_types, v_type_prefixes, v_deadline, v_done,
         v_open, v_done_xid, v_open_xid, v_done_at, v_open_at, v_floor_at, v_end, v_low, v_ceiling_at, v_high, v_late, v_xid, v_seq,
         v_moved_at
    from postrider.worker w
    join postrider.consumer c on c.id = w.consumer_id
    cross join lateral (
        select l.done_snapshot, l.open_snapshot, l.done_xid, l.open_xid, l.done_at, l.open_at, l.floor_at, l.to_xid,
               l.to_seq, l.claimed_at
        from postrider.lease l
        where l.consumer_id = p_consumer_id and l.id >= coalesce(p_lease, 0)
        order by l.id desc limit 1) l
    where w.id = p_worker and w.consumer_id = p_consumer_id;
    if v_name is null then
        -- Not this consumer's worker, or no lease of that id: then there is none to settle either.
        v_result := postrider.hand_out(p_worker, postrider.require_worker(p_worker), p_limit, null, null, null, null,
                                       p_deadline, p_packed);
        if p_lease is not null then
            v_result.settled := postrider.settle(p_worker, p_lease, p_token, p_delivered, p_failures);
        end if;
        return v_result;
    end if;

    while not v_paused loop
        if v_late then
            -- Late committers come first: their xids are lower than those of the range. Most segments have none.
            select p.seqs, p.to_xid, p.to_seq, p.parked, p.messages, p.rows
            into v_seqs, v_to_xid, v_to_seq, v_parked, v_messages, v_rows
            from postrider.pick(p_worker, p_consumer_id, v_complete, v_done, v_open, v_xid, v_seq, v_floor_at,
                                v_ceiling_at, true,
                                p_limit, p_packed) p;
        end if;
        if v_to_xid is null and v_fast and p_packed then
            select array_agg(m.seq), (array_agg(m.seq))[count(*)], (array_agg(m.xid))[count(*)], bool_or(m.special),
                   string_agg(m.packed, '')
            into v_seqs, v_to_seq, v_to_xid, v_special, v_messages
            from (
                select m.seq, m.xid,
                       m.target is not null or m.available_at is not null or m.priority <> 0
                       or pg_column_size(m.payload) > 4000 as special,
                       record_send(row(
                           m.seq, m.id, m.event_type, m.event_version, m.occurred_at, m.source, m.target,
                           m.workspace_id, m.payload, m.headers, m.idempotency_key, m.ordering_key, m.partition_key,
                           m.trace_context, m.content_class, m.generation)) as packed
                from postrider.log_range(v_channel, v_done, v_open, v_xid, v_seq, v_end, v_low, v_high) m
                where postrider.wants(v_name, v_all_types, v_exact_types, v_type_prefixes, m.target, m.event_type)
                limit p_limit) m;
        elsif v_to_xid is null and v_fast then
            select array_agg(m.seq), (array_agg(m.seq))[count(*)], (array_agg(m.xid))[count(*)], bool_or(m.special),
                   array_agg(m.claimed)
            into v_seqs, v_to_seq, v_to_xid, v_special, v_rows
            from (
                select m.seq, m.xid,
                       m.target is not null or m.available_at is not null or m.priority <> 0
                       or pg_column_size(m.payload) > 4000 as special,
                       row(null, null, null, null, m.seq, m.id, m.event_type, m.event_version, m.occurred_at, m.source,
                           m.target, m.workspace_id, m.payload, m.headers, m.idempotency_key, m.ordering_key,
                           m.partition_key, m.trace_context, m.content_class, m.generation)::postrider.claimed as claimed
                from postrider.log_range(v_channel, v_done, v_open, v_xid, v_seq, v_end, v_low, v_high) m
                where postrider.wants(v_name, v_all_types, v_exact_types, v_type_prefixes, m.target, m.event_type)
                limit p_limit) m;
        end if;
        if v_special or v_to_xid is null and not v_fast then
            select p.seqs, p.to_xid, p.to_seq, p.parked, p.messages, p.rows
            into v_seqs, v_to_xid, v_to_seq, v_parked, v_messages, v_rows
            from postrider.pick(p_worker, p_consumer_id, v_complete, v_done, v_open, v_xid, v_seq, v_floor_at,
                                v_ceiling_at, false,
                                p_limit, p_packed) p;
        end if;
        exit when v_to_xid is not null or v_advanced;

        -- The segment is finished: everything in it is handed out. Open the next one and look once more.
        if v_now - v_entered_at > interval '30 minutes' then
            -- A wait this long would eat up the slack of the upper bound on published_at.
            v_entered_at := v_now;
            v_own_xid := false;
        end if;
        if pg_snapshot_xmin(v_open) > v_done_xid then
            -- What `open` does not show has a higher xid than one assigned after done_at.
            v_floor_at := least(v_done_at, v_now);
        end if;
        v_done := v_open;
        v_done_xid := v_open_xid;
        v_done_at := v_open_at;
        -- This call's own xid is noted with it, assigned after it; if the transaction had one before, none is.
        v_open_at := v_entered_at;
        v_open_xid := '18446744073709551615';
        v_open := case when v_own_xid then pg_current_snapshot() else postrider.current_snapshot() end;
        v_end := pg_snapshot_xmax(v_open);
        v_low := v_floor_at - interval '1 hour';
        v_ceiling_at := greatest(v_open_at, v_done_at);
        v_high := v_ceiling_at + interval '1 hour';
        v_late := pg_snapshot_xmin(v_done) < pg_snapshot_xmax(v_done);
        v_xid := '0';
        v_seq := 0;
        v_advanced := true;
    end loop;

    if v_to_xid is not null then
        -- Settled no earlier: the snapshot above must not be taken by a transaction that has an id already.
        with settled as (
            update postrider.lease o
            set members = '{}', finished_at = clock_timestamp()
            where o.consumer_id = p_consumer_id and o.id = p_lease and o.token = p_token
              and o.worker_id = p_worker and o.finished_at is null
              and p_delivered is null and p_failures is null
            returning 'settled'
        )
        insert into postrider.lease as l (
            consumer_id, token, worker_id, done_snapshot, open_snapshot, done_xid, open_xid, done_at, open_at,
            floor_at, from_xid, from_seq, to_xid, to_seq, members, claimed_at, deadline, finished_at)
        values (
            p_consumer_id, gen_random_uuid(), p_worker, v_done, v_open, v_done_xid,
            case when v_advanced and v_own_xid then pg_current_xact_id() else v_open_xid end, v_done_at, v_open_at,
            v_floor_at, v_xid, v_seq, v_to_xid, v_to_seq, v_seqs, v_now, v_now + v_deadline,
            case when v_seqs = '{}' then v_now end)
        returning case when v_seqs <> '{}' then l.id end, case when v_seqs <> '{}' then l.token end,
                  (table settled)
        into v_lease, v_token, v_settled;
        if v_parked > 0 then
            perform postrider.ring(v_channel);
        end if;
    elsif v_advanced then
        -- Nothing to hand out. The cursor moves over what was passed over, and now and then in any case: its
        -- snapshots name the transactions to look up one by one, its floor the partitions to look in.
        if v_moved_at < v_now - interval '1 minute'
           or exists (select from postrider.log_range(v_channel, v_done, v_open, '0', 0, v_end, v_low, v_high)) then
            perform postrider.move_cursor(
                p_consumer_id, v_done, v_open, v_done_xid,
                case when v_own_xid then pg_current_xact_id() else v_open_xid end, v_done_at, v_open_at,
                v_floor_at);
        end if;
    end if;
    if v_settled is null and p_lease is not null then
        v_settled := postrider.settle(p_worker, p_lease, p_token, p_delivered, p_failures);
    end if;
    return row(v_settled, v_parked, v_lease, v_token, v_messages, case when not p_packed then v_rows end);
end
$$;
