-- set_aside(consumer_id, mine, channel, xid, seq, floor, ceiling): parks a message for those handlers that cannot have
-- it now: it is due later or of another than the default priority, the worker does not have the handler, or
-- it was published to this consumer by name although none of its handlers takes the type. p_mine are the
-- worker's handlers; floor and ceiling are a lease's.
-- When the circuit of one of its handlers is not closed it is parked for all of them: whoever is handed a message runs
-- every handler it has for it.
-- Returns: whether the worker has anything to do with the message now, and how many deliveries were made.
-- Touches: delivery, message, handler and consumer (read).
-- postrider: after handlers_for, park
create or replace function postrider.set_aside(
    p_consumer_id int, p_mine text[], p_channel text, p_xid xid8, p_seq bigint,
    p_floor_at timestamptz, p_ceiling_at timestamptz, out ours boolean, out parked int
)
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    as $$
declare
    v_handlers text[];
    v_parked text[];
    m record;
begin
    select l.event_type, l.priority = 0 and (l.available_at is null or l.available_at <= clock_timestamp()) as ready,
           (select c.held_handlers from postrider.consumer c where c.id = p_consumer_id) as held
    into strict m
    from postrider.message l
    where l.channel = p_channel and l.xid = p_xid and l.seq = p_seq
      and l.published_at >= p_floor_at - interval '1 hour' and l.published_at < p_ceiling_at + interval '1 hour';
    -- Under the consumer's lock, so these are the handlers it is owed to for ever.
    v_handlers := postrider.handlers_for(p_consumer_id, m.event_type, p_xid, p_seq);
    m.ready := m.ready and not coalesce(v_handlers && m.held, false);
    ours := m.ready and v_handlers && p_mine;
    v_parked := case when v_handlers = '{}' then array['']
                     when m.ready then array(select unnest(v_handlers) except select unnest(p_mine))
                     else v_handlers end;
    parked := 0;
    if v_parked <> '{}' then
        parked := cardinality(postrider.park(
            p_consumer_id, p_channel, array_fill(p_xid, array[cardinality(v_parked)]),
            array_fill(p_seq, array[cardinality(v_parked)]), v_parked, p_floor_at, p_ceiling_at));
    end if;
end
$$;
