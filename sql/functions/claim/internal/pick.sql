-- pick(worker, consumer_id, complete, done, open, xid, seq, floor, ceiling, late, limit, packed): the next messages of a segment
-- behind (xid, seq), one by one: the late committers' or the rest. What cannot be handed out is parked; what is too large for a
-- claim becomes a dead letter of every handler it is for. p_complete
-- says whether the worker has all handlers of the consumer; the others are log_range()'s.
-- Returns: the seqs to hand out, how far the log was read (null: nothing was there), how many deliveries were made,
--   and the messages as exchange_packed() returns them: at most p_limit, and fewer when they are large or when scan_time()
--   passed before the next message for this consumer was found.
-- Touches: delivery, message and consumer (read).
-- postrider: after too_large, refuse_large, set_aside, park, log_late, log_range, wants, packed, scan_time
create or replace function postrider.pick(
    p_worker uuid, p_consumer_id int, p_complete boolean, p_done pg_snapshot, p_open pg_snapshot, p_xid xid8,
    p_seq bigint, p_floor_at timestamptz, p_ceiling_at timestamptz, p_late boolean, p_limit int, p_packed boolean,
    out seqs bigint[], out to_xid xid8, out to_seq bigint, out parked int, out messages bytea,
    out rows postrider.claimed[]
)
    language plpgsql volatile
    as $$
#variable_conflict use_column
declare
    v_enough constant bigint := 16777216;  -- bytes of messages: one value has to hold them all
    v_low timestamptz := p_floor_at - interval '1 hour';
    v_high timestamptz := p_ceiling_at + interval '1 hour';
    v_stop timestamptz := clock_timestamp() + postrider.scan_time();
    v_bytes bigint := 0;
    v_packed bytea[] := '{}';
    v_log refcursor;
    v_types text[] := '{}';  -- whose handlers are known, with the next three: lists of handlers, and set_aside()'s ours
    v_ready text[] := '{}';
    v_waiting text[] := '{}';
    v_ours boolean[] := '{}';
    v_type int;
    v_is_ready boolean;
    v_is_large boolean;
    v_handler text;
    v_aside record;
    v_xids xid8[] := '{}';  -- of what is parked, with the next two
    v_seqs bigint[] := '{}';
    v_handlers text[] := '{}';
    v_large bigint[] := '{}';  -- what is parked to be refused at once
    v_one bytea;
    v_mine text[] := (select handlers from postrider.worker where id = p_worker);
    c postrider.consumer;
    m postrider.message;
begin
    select * into strict c from postrider.consumer where id = p_consumer_id;
    seqs := '{}';
    rows := case when not p_packed then '{}'::postrider.claimed[] end;
    if p_late then
        open v_log no scroll for
            select m.* from postrider.log_late(c.channel, p_done, p_open, p_xid, p_seq, pg_snapshot_xmax(p_open), 0,
                                               v_low, v_high) m
            where postrider.wants(c.name, c.all_types, c.exact_types, c.type_prefixes, m.target, m.event_type)
               or clock_timestamp() > v_stop
            limit p_limit;
    else
        open v_log no scroll for
            select m.* from postrider.log_range(c.channel, p_done, p_open, p_xid, p_seq, pg_snapshot_xmax(p_open),
                                                v_low, v_high) m
            where postrider.wants(c.name, c.all_types, c.exact_types, c.type_prefixes, m.target, m.event_type)
               or clock_timestamp() > v_stop
            order by m.xid, m.seq
            limit p_limit;
    end if;
    loop
        fetch v_log into m;
        exit when m.seq is null;
        to_xid := m.xid;
        to_seq := m.seq;
        -- Too long since the start: the cursor moves behind this message, the next claim continues there.
        exit when clock_timestamp() > v_stop
            and not postrider.wants(c.name, c.all_types, c.exact_types, c.type_prefixes, m.target, m.event_type);
        v_is_large := postrider.too_large(m.payload, m.headers);
        if not p_complete or m.target is not null or m.available_at is not null or m.priority <> 0 or v_is_large then
            -- Which handlers take a type is asked once: no handler begins or ends ahead of the cursor, and none changes
            -- while the consumer's lock is held.
            v_type := array_position(v_types, m.event_type::text);
            if v_type is null then
                v_aside := postrider.set_aside(c, v_mine, m.event_type, m.xid, m.seq);
                v_types := v_types || m.event_type::text;
                v_ready := v_ready || v_aside.ready::text;
                v_waiting := v_waiting || v_aside.waiting::text;
                v_ours := v_ours || v_aside.ours;
                v_type := cardinality(v_types);
            end if;
            v_is_ready := m.priority = 0 and (m.available_at is null or m.available_at <= clock_timestamp());
            foreach v_handler in array
                case when v_is_ready and not v_is_large then v_ready[v_type] else v_waiting[v_type] end::text[]
            loop
                v_xids := v_xids || m.xid;
                v_seqs := v_seqs || m.seq;
                v_handlers := v_handlers || v_handler;
            end loop;
            if v_is_large then
                v_large := v_large || m.seq;
                continue;
            end if;
            continue when not (v_is_ready and v_ours[v_type]);
        end if;
        seqs := seqs || m.seq;
        if p_packed then
            v_one := postrider.packed(m);
            v_packed := v_packed || v_one;
            v_bytes := v_bytes + octet_length(v_one);
        else
            rows := rows || row(
                null, null, null, null, m.seq, m.id, m.event_type, m.event_version, m.occurred_at, m.source, m.target,
                m.workspace_id, m.payload, m.headers, m.idempotency_key, m.ordering_key, m.partition_key,
                m.trace_context, m.content_class, m.generation)::postrider.claimed;
            v_bytes := v_bytes + octet_length(m.payload::text) + coalesce(octet_length(m.headers::text), 0);
        end if;
        exit when v_bytes >= v_enough;
    end loop;
    close v_log;
    parked := case when v_seqs = '{}' then 0
                   else postrider.park(p_consumer_id, c.channel, v_xids, v_seqs, v_handlers, p_floor_at, p_ceiling_at) end;
    if v_large <> '{}' then
        perform postrider.refuse_large(array(
            select d.id from postrider.delivery d
            where d.seq = any (v_large) and d.consumer_id = p_consumer_id and d.status = 'pending'));
    end if;
    if p_packed then
        messages := (select string_agg(p.one, '' order by p.n) from unnest(v_packed) with ordinality as p(one, n));
    end if;
end
$$;
