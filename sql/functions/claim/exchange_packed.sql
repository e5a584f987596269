-- exchange_packed(worker, limit, …): exchange() for programs: the same arguments and promises, but the messages come in
-- binary values of up to 200 each, which are cheaper to make, to send and to read.
-- It keeps settings for its plans in the session, so the connection should do nothing else.
-- Returns: handed_out rows; all but the last have nothing but `messages`, the last one is the summary too. Put together
--   they are the claimed messages in log order, as packed() makes them. A claim of large messages ends at 16 MB, and one that
--   passes over messages of other consumers ends after scan_time().
--   With p_rows, which is exchange()'s, they come as `rows` instead, and no setting is kept.
-- Raises: what exchange() raises. Touches: lease, lease_mark, delivery, message (read).
--
-- The open segment is what `open` shows and `done` does not: fixed for ever, so it can be handed out piece by piece
-- in (xid, seq) order. Every statement costs as much as a dozen messages, and every expression as one, because it is
-- prepared anew in each transaction: so there are four statements, where the consumer stands, the messages, the new lease,
-- the old one, and few expressions between them. The settings keep the plans index range scans of as many rows as
-- are claimed, whatever the statistics say. A limit ends such a scan; an upper bound on (xid, seq) would not. When v_stop has
-- passed, the scan returns the next message, wanted or not, as special: pick() then moves the cursor.
-- postrider: grant worker
-- postrider: after keep_plans, wait_to_claim, require_cluster, require_read_committed, require_worker, settle, pick, move_cursor, doubt_clock, ring, current_snapshot, log_range, wants, packed, scan_time, mark_leases
create or replace function postrider.exchange_packed(
    p_worker uuid,
    p_limit int,
    p_lease bigint default null,
    p_token uuid default null,
    p_delivered bigint[] default null,
    p_failures jsonb default null,
    p_deadline interval default null,
    p_rows boolean default false
) returns setof postrider.handed_out
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
    as $$
#variable_conflict use_column
declare
    v_known text := current_setting('postrider.worker', true);  -- the worker's id and its consumer's
    v_now timestamptz;
    v_stop timestamptz;           -- when to stop passing over messages
    v_own_xid boolean;            -- whether the transaction has no id yet
    v_consumer int;
    v_complete boolean;           -- whether the worker has all handlers of the consumer
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
    v_at_xid xid8;                -- how far it is read
    v_at_seq bigint;
    v_piece int;                  -- how many messages to read at once
    v_moved_at timestamptz;
    v_doubt_xid xid8;             -- transactions below it may have published by another clock
    v_look boolean;               -- whether the clock does not say where the segment is
    v_advanced boolean;
    v_to_xid xid8;                -- how far it is handed out now
    v_to_seq bigint;
    v_kept bigint[];              -- what is handed out in the rows before the last one
    v_seqs bigint[];              -- and in the last one
    v_special boolean;            -- something has to be looked at one by one
    v_parked int;
    v_messages bytea;
    v_rows postrider.claimed[];
    v_lease bigint;
    v_token uuid;
    v_mark boolean;
    v_settled text;
begin
    if left(v_known, 36) is distinct from p_worker::text or p_rows
       or p_limit is null or p_limit not between 1 and 10000
       or current_setting('transaction_isolation') <> 'read committed' then
        perform postrider.require_read_committed('claim');
        if current_setting('postrider.claims', true) is distinct from 'known' then
            perform postrider.require_cluster();
        end if;
        v_known := p_worker || ' ' || postrider.require_worker(p_worker);
        update postrider.worker set login = session_user where id = p_worker and login is distinct from session_user;
        if p_limit is null or p_limit not between 0 and 10000 then
            raise exception using errcode = 'PR001', message = 'claim: the limit must be between 0 and 10000';
        elsif p_deadline <= interval '0' then
            -- Here only, and not in every claim of a worker that is known: it costs those too much.
            raise exception using errcode = 'PR001', message = 'claim: the deadline must be a positive interval';
        elsif p_limit = 0 then
            if p_lease is not null then
                v_settled := postrider.settle(p_worker, p_lease, p_token, p_delivered, p_failures);
            end if;
            return next row(v_settled, 0, v_lease, v_token, v_messages, v_rows);
            return;
        elsif not p_rows then
            perform postrider.keep_plans();
            perform set_config('postrider.worker', v_known, false);
        end if;
    end if;
    -- Claims of one consumer are short and serial; the work they hand out is parallel.
    if not pg_try_advisory_xact_lock(1886351202, substr(v_known, 38)::int) then
        perform postrider.wait_to_claim(substr(v_known, 38)::int, p_limit);
    end if;
    -- The newest lease cannot be older than one of the worker's; without this the scan reads a whole page. To look for each
    -- handler among all would take the square of their number.
    select clock_timestamp(), clock_timestamp() + postrider.scan_time(), c.id, w.handlers = c.handlers or w.handlers @> c.handlers, least(p_limit, 200), c.name,
           c.channel, coalesce(c.paused or c.held_handlers @> c.handlers, false), c.all_types, c.exact_types,
           c.type_prefixes, coalesce(p_deadline, c.lease_deadline, interval '15 minutes'), l.done_snapshot,
           l.open_snapshot, l.done_xid, l.open_xid, l.done_at, l.open_at, l.floor_at, pg_snapshot_xmax(l.open_snapshot),
           l.floor_at - interval '1 hour', l.ceiling_at, l.ceiling_at + interval '1 hour', l.doubt_xid,
           l.to_xid < pg_snapshot_xmax(l.done_snapshot)
               and pg_snapshot_xmin(l.done_snapshot) < pg_snapshot_xmax(l.done_snapshot),
           l.to_xid, l.to_seq, l.to_xid, l.to_seq, l.claimed_at
    into v_now, v_stop, v_consumer, v_complete, v_piece, v_name, v_channel, v_paused, v_all_types, v_exact_types,
         v_type_prefixes, v_deadline, v_done, v_open, v_done_xid, v_open_xid, v_done_at, v_open_at, v_floor_at, v_end,
         v_low, v_ceiling_at, v_high, v_doubt_xid, v_late, v_xid, v_seq, v_at_xid, v_at_seq, v_moved_at
    from postrider.worker w
    join postrider.consumer c on c.id = w.consumer_id
    cross join lateral (
        select l.done_snapshot, l.open_snapshot, l.done_xid, l.open_xid, l.done_at, l.open_at, l.floor_at, l.ceiling_at,
               l.doubt_xid, l.to_xid, l.to_seq, l.claimed_at
        from postrider.lease l
        where l.consumer_id = c.id and l.id >= coalesce(p_lease, 0)
        order by l.id desc limit 1) l
    where w.id = p_worker and w.consumer_id = substr(v_known, 38)::int
      and w.login = session_user;  -- whatever v_known says: a session can set that as it likes
    if v_name is null then
        -- Not this consumer's worker any more, or another user's so far, or no lease of that id: then there is none to settle.
        perform set_config('postrider.worker', '', false);
        if p_lease is not null then
            v_settled := postrider.settle(p_worker, p_lease, p_token, p_delivered, p_failures);
        end if;
        return query
        select coalesce(h.settled, case when h.parked is not null then v_settled end), h.parked, h.lease_id,
               h.lease_token, h.messages, h.rows
        from postrider.exchange_packed(p_worker, p_limit, p_deadline => p_deadline, p_rows => p_rows) h;
        return;
    end if;

    <<claim>>
    while not v_paused loop
        if v_late then
            -- Late committers come first: their xids are lower than those of the range. Most segments have none.
            select p.seqs, p.to_xid, p.to_seq, p.parked, p.messages, p.rows
            into v_seqs, v_to_xid, v_to_seq, v_parked, v_messages, v_rows
            from postrider.pick(p_worker, v_consumer, v_complete, v_done, v_open, v_xid, v_seq, v_floor_at,
                                v_ceiling_at, true, p_limit, not p_rows) p;
            exit when v_to_xid is not null;
        end if;
        while v_complete and v_at_xid < v_end loop
            -- Fewer than were asked for: that was all, and the next claim need not look for more. What is large or has to wait
            -- is special: pick() looks at it one by one. Stored sizes are compressed ones, so the result is measured, too.
            if p_rows then
                select array_agg(m.seq), case when count(*) = v_piece then (array_agg(m.seq))[v_piece] else 0 end,
                       case when count(*) = v_piece then max(m.xid) when count(*) > 0 then v_end end, bool_or(pg_column_size(m.claimed) is null),
                       array_agg(m.claimed)
                into v_seqs, v_to_seq, v_to_xid, v_special, v_rows
                from (
                    select m.seq, m.xid,
                           case when m.available_at is not null or m.priority <> 0 or pg_column_size(m.payload) > 4000
                                  or pg_column_size(m.headers) > 4000
                                  or octet_length(m.payload::text) > 4000 or octet_length(m.headers::text) > 4000
                                  or m.target is not null and not postrider.wants(
                                      v_name, v_all_types, v_exact_types, v_type_prefixes, null, m.event_type)
                                  or clock_timestamp() > v_stop
                                then null
                                else row(null, null, null, null, m.seq, m.id, m.event_type, m.event_version, m.occurred_at,
                                         m.source, m.target, m.workspace_id, m.payload, m.headers, m.idempotency_key,
                                         m.ordering_key, m.partition_key, m.trace_context, m.content_class,
                                         m.generation)::postrider.claimed end as claimed
                    from postrider.log_range(v_channel, v_done, v_open, v_at_xid, v_at_seq, v_end, v_low, v_high) m
                    where postrider.wants(v_name, v_all_types, v_exact_types, v_type_prefixes, m.target, m.event_type)
                       or clock_timestamp() > v_stop
                    order by m.xid, m.seq limit v_piece) m;
            else
                select array_agg(m.seq), case when count(*) = v_piece then (array_agg(m.seq))[v_piece] else 0 end,
                       case when count(*) = v_piece then max(m.xid) when count(*) > 0 then v_end end, bool_or(coalesce(octet_length(m.packed), 8001) > 8000),
                       string_agg(m.packed, '')
                into v_seqs, v_to_seq, v_to_xid, v_special, v_messages
                from (
                    select m.seq, m.xid,
                           case when m.available_at is not null or m.priority <> 0 or pg_column_size(m.payload) > 4000
                                  or pg_column_size(m.headers) > 4000
                                  or m.target is not null and not postrider.wants(
                                      v_name, v_all_types, v_exact_types, v_type_prefixes, null, m.event_type)
                                  or clock_timestamp() > v_stop
                                then null else postrider.packed(m) end as packed
                    from postrider.log_range(v_channel, v_done, v_open, v_at_xid, v_at_seq, v_end, v_low, v_high) m
                    where postrider.wants(v_name, v_all_types, v_exact_types, v_type_prefixes, m.target, m.event_type)
                       or clock_timestamp() > v_stop
                    order by m.xid, m.seq limit v_piece) m;
            end if;
            exit claim when not v_special and p_limit <= 200;
            if not v_special then
                exit claim when cardinality(v_kept || v_seqs) = p_limit or cardinality(v_seqs) < v_piece;
                v_kept := v_kept || v_seqs;
                v_piece := least(v_piece, p_limit - cardinality(v_kept));
                v_stop := v_now + postrider.scan_time();
                v_at_xid := v_to_xid;
                v_at_seq := v_to_seq;
                return next row(null::text, null::int, null::bigint, null::uuid, v_messages, v_rows);
                continue;
            elsif v_kept is not null then
                -- What is special is for the next claim to look at.
                v_seqs := null;
                v_messages := null;
                v_rows := null;
                v_to_xid := case when v_special then v_at_xid else v_end end;
                v_to_seq := case when v_special then v_at_seq else 0 end;
                exit claim;
            end if;
            exit;
        end loop;
        if v_special or not v_complete then
            select p.seqs, p.to_xid, p.to_seq, p.parked, p.messages, p.rows
            into v_seqs, v_to_xid, v_to_seq, v_parked, v_messages, v_rows
            from postrider.pick(p_worker, v_consumer, v_complete, v_done, v_open, v_xid, v_seq, v_floor_at,
                                v_ceiling_at, false, p_limit, not p_rows) p;
        end if;
        exit when v_to_xid is not null or v_advanced;

        -- The segment is finished: everything in it is handed out. Open the next one and look once more.
        -- Where it is the clock says, unless it may have been another one when the messages were published: the clock of
        -- before the server was started, or of somebody who has set it since.
        v_look := current_setting('postrider.looked', true) is distinct from v_consumer::text
            or v_now not between v_open_at - interval '10 minutes' and v_open_at + interval '10 minutes';
        -- What `open` does not show was published after done_at when it has a higher xid than one assigned after that. A
        -- bound after now would hide what is published now: the clock may have been ahead then.
        v_floor_at := least(v_now, case when pg_snapshot_xmin(v_open) > v_done_xid then v_done_at else v_floor_at end);
        v_done := v_open;
        v_done_xid := v_open_xid;
        v_done_at := v_open_at;
        -- This call's own xid is noted with it, assigned after it; if the transaction had one before, none is.
        v_own_xid := pg_current_xact_id_if_assigned() is null;
        v_open_at := v_now;
        v_open_xid := '18446744073709551615';
        v_open := case when v_own_xid then pg_current_snapshot() else postrider.current_snapshot() end;
        v_end := pg_snapshot_xmax(v_open);
        v_ceiling_at := v_open_at;
        if v_look or v_doubt_xid is not null then
            select d.looked, d.doubt_xid, least(v_floor_at, d.floor_at), greatest(v_ceiling_at, d.ceiling_at)
            into v_look, v_doubt_xid, v_floor_at, v_ceiling_at
            from postrider.doubt_clock(v_consumer, v_channel, v_done, v_open, v_look, v_own_xid, v_doubt_xid) d;
        end if;
        v_low := v_floor_at - interval '1 hour';
        v_high := v_ceiling_at + interval '1 hour';
        v_late := pg_snapshot_xmin(v_done) < pg_snapshot_xmax(v_done);
        v_xid := '0';
        v_seq := 0;
        v_at_xid := '0';
        v_at_seq := 0;
        v_advanced := true;
    end loop;

    if v_to_xid is not null then
        insert into postrider.lease as l (
            consumer_id, token, worker_id, done_snapshot, open_snapshot, done_xid, open_xid, done_at, open_at,
            floor_at, ceiling_at, doubt_xid, from_xid, from_seq, to_xid, to_seq, members, claimed_at, deadline, finished_at)
        values (
            v_consumer, gen_random_uuid(), p_worker, v_done, v_open, v_done_xid,
            case when v_advanced and v_own_xid then pg_current_xact_id() else v_open_xid end, v_done_at, v_open_at,
            v_floor_at, v_ceiling_at, v_doubt_xid, v_xid, v_seq, v_to_xid, v_to_seq, v_kept || v_seqs, v_now,
            v_now + v_deadline, case when v_kept || v_seqs = '{}' then v_now end)
        returning case when l.finished_at is null then l.id end, case when l.finished_at is null then l.token end,
                  l.token < '00400000-0000-0000-0000-000000000000'
        into v_lease, v_token, v_mark;
        -- One claim in a thousand; the claim lock is held.
        if v_mark then
            perform postrider.mark_leases(v_consumer);
        end if;
    elsif v_advanced then
        -- Nothing to hand out. The cursor moves over what was passed over, and now and then in any case: its
        -- snapshots name the transactions to look up one by one, its floor the partitions to look in. What took a look
        -- into every partition to know is kept.
        if v_look or v_moved_at < v_now - interval '1 minute'
           or exists (select from postrider.log_range(v_channel, v_done, v_open, '0', 0, v_end, v_low, v_high)) then
            perform postrider.move_cursor(
                v_consumer, v_done, v_open, v_done_xid,
                case when v_own_xid then pg_current_xact_id() else v_open_xid end, v_done_at, v_open_at,
                v_floor_at, v_ceiling_at, v_doubt_xid);
        end if;
    end if;
    -- Settled no earlier: the snapshot above must not be taken by a transaction that has an id already.
    if p_lease is not null then
        update postrider.lease o
        set members = '{}', finished_at = clock_timestamp()
        where o.consumer_id = v_consumer and o.id = p_lease and o.token = p_token
          and o.worker_id = p_worker and o.finished_at is null
          and p_delivered is null and p_failures is null
        returning 'settled' into v_settled;
        if v_settled is null then
            v_settled := postrider.settle(p_worker, p_lease, p_token, p_delivered, p_failures);
        end if;
    end if;
    if v_parked > 0 then
        perform postrider.ring(v_channel);
    end if;
    -- The cursor moved, yet nothing was handed out or parked: pick() stopped before the end of the segment.
    return next row(v_settled, case when v_parked = 0 and v_lease is null and v_to_xid is not null then -1
                                    else coalesce(v_parked, 0) end, v_lease, v_token, v_messages, v_rows);
end
$$;
