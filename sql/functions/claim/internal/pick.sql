-- pick(cursor, worker, log, limit): checks the messages of an SQL cursor one by one. It is open_log()'s, or one for messages that waited; the latter
-- have no time limit (cursor.stop is null) and are for the handlers that are active now, whatever their position in the log.
-- A cancelled message is passed over. A message that cannot be handed out is parked. A message that is too large for a claim becomes a dead letter of
-- each of its handlers. A message of a handler whose limit can bind is throttled if the cursor is limited; take_limited() hands it out.
-- p_limit: how many to hand out, at most.
-- Returns: the messages to hand out, how far the log was read, and how many deliveries were made and messages throttled. Messages of the log are fewer when
--   they are large or when cursor.stop passed before the next message for this consumer was found.
-- Touches: delivery, consumer, waiting, message (read).
-- postrider: after forget_cancelled, throttled_row, too_large, set_aside, park_picked, wants, packed
create or replace function postrider.pick(
    p_cursor postrider.claim_cursor, p_worker uuid, p_log refcursor, p_limit int default null
) returns postrider.claim_batch
    language plpgsql volatile
    as $$
declare
    v_enough constant bigint := 16777216;  -- bytes of messages: one value has to hold them all
    v_mine text[] := (select w.handlers from postrider.worker w where w.id = p_worker);
    v_bytes bigint := 0;
    v_seqs bigint[] := '{}';               -- to hand out, with the next one
    v_packed bytea[] := '{}';
    v_types text[] := '{}';                -- event types whose handlers are known, with the next one
    v_asides postrider.aside[] := '{}';
    v_xids xid8[] := '{}';                 -- to park, with the next two
    v_parked bigint[] := '{}';
    v_handlers text[] := '{}';
    v_large bigint[] := '{}';              -- of these, messages to refuse at once
    v_passed bigint[] := '{}';             -- cancelled ones
    v_throttled postrider.waiting[] := '{}';
    v_is_large boolean;
    v_handler text;
    a postrider.aside;
    b postrider.claim_batch;
    c postrider.claim_cursor := p_cursor;
    o postrider.consumer;
    m postrider.message;
begin
    select * into strict o from postrider.consumer where id = c.consumer_id;
    o.limited_handlers := case when c.limited then o.limited_handlers end;
    loop
        fetch p_log into m;
        exit when m.seq is null;
        b.to_xid := m.xid;
        b.to_seq := m.seq;
        -- cursor.stop has passed: the cursor moves behind this message, and the next claim continues there.
        exit when clock_timestamp() > c.stop and (m.priority <> 0 or m.available_at is not null
            or not postrider.wants(c.name, c.all_types, c.exact_types, c.type_prefixes, m.target, m.event_type));
        if m.seq = any (o.cancelled) then
            v_passed := v_passed || m.seq;
            continue;
        end if;
        v_is_large := postrider.too_large(m.payload, m.headers);
        if not c.complete or m.target is not null or c.stop is null or v_is_large then
            -- Once per type: no handler begins or ends ahead of the cursor, and none changes while the consumer's lock is held.
            a := v_asides[array_position(v_types, m.event_type::text)];
            if a is null then
                a := postrider.set_aside(o, v_mine, m.event_type, case when c.stop is not null then m.xid end, m.seq);
                v_types := v_types || m.event_type::text;
                v_asides := v_asides || a;
            end if;
            foreach v_handler in array case when v_is_large then a.waiting else a.ready end loop
                v_xids := v_xids || m.xid;
                v_parked := v_parked || m.seq;
                v_handlers := v_handlers || v_handler;
            end loop;
            if v_is_large then
                v_large := v_large || m.seq;
                continue;
            elsif a.throttled is not null then
                v_throttled := v_throttled || postrider.throttled_row(c.consumer_id, a, m);
            end if;
            continue when not a.ours;
        end if;
        v_seqs := v_seqs || m.seq;
        v_packed := v_packed || postrider.packed(m);
        v_bytes := v_bytes + octet_length(v_packed[cardinality(v_packed)]);
        exit when v_bytes >= v_enough or cardinality(v_seqs) >= p_limit;
    end loop;
    close p_log;
    perform postrider.forget_cancelled(c.consumer_id, v_passed) where v_passed <> '{}';
    b.seqs := v_seqs;
    b.messages := (select string_agg(p.one, '' order by p.n) from unnest(v_packed) with ordinality as p(one, n));
    b.parked := postrider.park_picked(c, v_xids, v_parked, v_handlers, v_large, v_throttled);
    return b;
end
$$;
