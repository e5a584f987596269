-- set_aside(lease, mine): parks those members of a new lease that have to wait: due later, of another than the
-- default priority, for a handler this worker does not have, or published to this consumer by name although
-- none of its handlers takes the type. p_mine are the worker's handlers.
-- Returns: the members that are left to hand out, and how many deliveries were made.
-- Touches: lease, delivery, message and handler (read).
-- postrider: after segment, handlers_for, park, ring
create or replace function postrider.set_aside(
    p_lease postrider.lease, p_mine text[], out members bigint[], out parked int
)
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    as $$
declare
    v_now timestamptz := clock_timestamp();
    v_handlers text[];
    v_ready boolean;
    v_made int;
    m postrider.message;
begin
    members := '{}';
    parked := 0;
    for m in select s.* from postrider.segment(p_lease) s where s.seq = any (p_lease.members) loop
        v_handlers := postrider.handlers_for(p_lease.consumer_id, m.event_type, m.xid, m.seq);
        v_ready := m.priority = 0 and (m.available_at is null or m.available_at <= v_now);
        if v_ready and v_handlers && p_mine then
            members := members || m.seq;
        end if;
        select count(*) into v_made
        from postrider.park(p_lease.consumer_id, m,
            case when v_handlers = '{}' then array['']
                 when v_ready then array(select unnest(v_handlers) except select unnest(p_mine))
                 else v_handlers end);
        parked := parked + v_made;
    end loop;
    if parked > 0 then
        perform postrider.ring(c.channel) from postrider.consumer c where c.id = p_lease.consumer_id;
    end if;
    if set_aside.members <> p_lease.members then
        update postrider.lease l
        set members = set_aside.members,
            finished_at = case when set_aside.members = '{}' then v_now end
        where l.consumer_id = p_lease.consumer_id and l.id = p_lease.id;
    end if;
end
$$;
