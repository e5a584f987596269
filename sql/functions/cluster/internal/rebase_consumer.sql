-- rebase_consumer(consumer_id, first_seq): makes deliveries of all messages that a consumer is owed.
-- Messages before first_seq are judged by the old cluster's cursor and leases; later ones are all owed.
-- A message that no handler takes becomes a delivery without a handler if it has the consumer as its target, or if the
-- consumer has had no handler yet.
-- Returns: how many deliveries were made. Touches: delivery, lease, waiting, follower, lookahead, message and handler (read).
-- postrider: after cursor_of, covers, route, handlers_for, park, conclude, forget_cancelled, queue_heads
create or replace function postrider.rebase_consumer(p_consumer_id int, p_first_seq bigint) returns bigint
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    set jit = off
    set enable_seqscan = off
    set enable_bitmapscan = off
    set enable_hashjoin = off
    set enable_mergejoin = off
    as $$
declare
    v_at postrider.position := postrider.cursor_of(p_consumer_id);
    v_waiting_at postrider.position := postrider.cursor_of(-p_consumer_id);
    v_unstarted boolean := not exists (select from postrider.handler h where h.consumer_id = p_consumer_id);
    v_count bigint := 0;
    v_handlers text[];
    v_outcomes jsonb;
    m postrider.message;
begin
    for m in
        select l.*
        from postrider.consumer c
        join postrider.message l on l.channel = c.channel and (l.target is null or l.target = c.name)
        where c.id = p_consumer_id
          and (l.seq >= p_first_seq
               or not postrider.covers(case when l.priority <> 0 or l.available_at is not null then v_waiting_at else v_at end,
                                       l.xid, l.seq)
               or exists (select from postrider.follower f
                          where f.consumer_id = c.id and f.key = l.ordering_key and f.seq = l.seq)
               or exists (select from postrider.waiting w
                          where w.consumer_id in (c.id, -c.id) and w.priority = l.priority
                            and w.due_at = coalesce(l.available_at, l.published_at) and w.seq = l.seq)
               or exists (select from postrider.lease o
                          where o.consumer_id in (c.id, -c.id) and o.finished_at is null and l.seq = any (o.members)))
    loop
        v_handlers := case when m.seq >= p_first_seq or m.priority <> 0 or m.available_at is not null
                           then postrider.route(p_consumer_id, m.event_type)
                           else postrider.handlers_for(p_consumer_id, m.event_type, m.xid, m.seq) end;
        if v_handlers = '{}' and (m.target is not null or v_unstarted) then
            v_handlers := array[''];
        end if;
        v_count := v_count + postrider.park(
            p_consumer_id, m.channel, array_fill(m.xid, array[cardinality(v_handlers)]),
            array_fill(m.seq, array[cardinality(v_handlers)]), v_handlers, '-infinity', 'infinity');
    end loop;

    update postrider.lease
    set members = '{}', finished_at = clock_timestamp(), reaped_at = clock_timestamp()
    where consumer_id in (p_consumer_id, -p_consumer_id) and finished_at is null;
    delete from postrider.waiting where consumer_id in (p_consumer_id, -p_consumer_id);
    delete from postrider.follower where consumer_id = p_consumer_id;
    delete from postrider.lookahead where consumer_id = p_consumer_id;
    perform postrider.forget_cancelled(p_consumer_id, null);
    select jsonb_agg(jsonb_build_object('delivery', d.id, 'token', d.lease_token, 'outcome', 'interrupted'))
    into v_outcomes
    from postrider.delivery d where d.consumer_id = p_consumer_id and d.status = 'in_flight';
    if v_outcomes is not null then
        perform postrider.conclude(v_outcomes);
    end if;
    perform postrider.queue_heads(p_consumer_id);
    return v_count;
end
$$;
