-- note_brokers(consumer_id, handlers): records where handlers of register_worker() publish to or receive from, for the view brokers.
-- "broker" of a handler: {"direction": "to" or "from", "address", "name"}. A user name and a password in the address, and its query,
-- are left out: operators and viewers read it. A handler without it has no broker any more.
-- Raises: PR001 for an unknown key and for another direction.
-- Touches: handler.
-- postrider: after require_keys
create or replace function postrider.note_brokers(p_consumer_id int, p_handlers jsonb) returns void
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    as $$
begin
    if exists (select from jsonb_to_recordset(p_handlers) as h(broker jsonb)
               where jsonb_typeof(h.broker) <> 'null' and coalesce(h.broker ->> 'direction', '') not in ('to', 'from')) then
        raise exception using errcode = 'PR001', message = 'register_worker: the direction of a broker must be to or from';
    end if;
    perform postrider.require_keys(h.broker, '{direction,address,name}', 'a broker')
    from jsonb_to_recordset(p_handlers) as h(broker jsonb) where h.broker is not null;
    update postrider.handler t
    set broker = n.place
    from (select h.name, case when jsonb_typeof(h.broker) = 'object' then jsonb_build_object(
                     'direction', h.broker ->> 'direction',
                     'address', left(regexp_replace(regexp_replace(coalesce(h.broker ->> 'address', ''), '^([^/@]*//)?.*@', E'\\1'), '[?#].*$', ''), 255),
                     'name', left(coalesce(h.broker ->> 'name', ''), 255)) end as place
          from jsonb_to_recordset(p_handlers) as h(name text, broker jsonb)) n
    where t.consumer_id = p_consumer_id and t.name = n.name and t.retired_at is null and t.broker is distinct from n.place;
end
$$;
