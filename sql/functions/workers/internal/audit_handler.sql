-- audit_handler(before, action): records a change of a handler in the audit: of its event types or its policy, or its retirement.
-- Touches: audit (insert), handler, consumer (read).
-- postrider: after write_audit
create or replace function postrider.audit_handler(p_before postrider.handler, p_action text) returns void
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    as $$
declare
    v_hidden constant text[] := '{consumer_id,name,starts,ends,registered_at}';
begin
    perform postrider.write_audit(
        session_user, p_action, 'by ' || session_user,
        jsonb_build_object('consumer', c.name, 'channel', c.channel, 'handler', h.name),
        to_jsonb(p_before) - v_hidden, to_jsonb(h) - v_hidden)
    from postrider.handler h join postrider.consumer c on c.id = h.consumer_id
    where h.consumer_id = p_before.consumer_id and h.name = p_before.name
    order by h.revision desc
    limit 1;
end
$$;
