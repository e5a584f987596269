-- park_failures(lease, seqs, failures): gives messages of a lease that were not delivered deliveries of their own,
-- and lets conclude() decide on each. p_failures is settle()'s.
-- Raises: PR011 for a handler the message is not owed to.
-- Touches: delivery, message and handler (read).
-- postrider: after segment, park, conclude, handlers_for, ring
create or replace function postrider.park_failures(
    p_lease postrider.lease, p_seqs bigint[], p_failures jsonb
) returns void
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    as $$
declare
    v_handlers text[];
    v_outcomes jsonb[] := '{}';
    v_delivery bigint;
    m postrider.message;
    v_item jsonb;
    r record;
begin
    for r in
        select s as message, f.item
        from postrider.segment(p_lease) s
        join jsonb_array_elements(p_failures) as f(item) on (f.item ->> 'seq')::bigint = s.seq
        where s.seq = any (p_seqs)
    loop
        m := r.message;
        v_item := r.item;
        v_handlers := postrider.handlers_for(p_lease.consumer_id, m.event_type, m.xid, m.seq);
        if v_item ->> 'handler' is not null then
            if v_item ->> 'handler' <> all (v_handlers) then
                raise exception using errcode = 'PR011',
                    message = format('settle: message %s is not owed to a handler %L', m.seq, v_item ->> 'handler'),
                    hint = format('Its handlers are: %s.', array_to_string(v_handlers, ', '));
            end if;
            v_handlers := array[v_item ->> 'handler'];
        end if;
        for v_delivery in
            select * from postrider.park(p_lease.consumer_id, m, v_handlers, p_lease.worker_id, p_lease.token)
        loop
            v_outcomes := v_outcomes
                || (v_item || jsonb_build_object('delivery', v_delivery, 'token', p_lease.token));
        end loop;
    end loop;
    if v_outcomes <> '{}' then
        perform postrider.conclude(to_jsonb(v_outcomes));
        perform postrider.ring(c.channel) from postrider.consumer c where c.id = p_lease.consumer_id;
    end if;
end
$$;
