-- covers(position, xid, seq): whether a message at (xid, seq) lies before a position.
-- postrider: grant operator, viewer, agent
create or replace function postrider.covers(p_at postrider.position, p_xid xid8, p_seq bigint)
    returns boolean
    language sql immutable parallel safe
    as $$
    select pg_catalog.pg_visible_in_snapshot(p_xid, (p_at).done)
        or (pg_catalog.pg_visible_in_snapshot(p_xid, (p_at).open)
            and (p_xid, p_seq) <= ((p_at).xid, (p_at).seq))
    $$;
