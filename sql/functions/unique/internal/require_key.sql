-- require_key(operation, deliveries, channel): refuses deliveries that revive() left as they are, when another job holds their unique
-- key with the consumer of that channel (null: with their own).
-- Raises: PR012. Touches: delivery, unique_job (read).
create or replace function postrider.require_key(p_operation text, p_deliveries bigint[], p_channel text) returns void
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
    as $$
declare
    r record;
begin
    select d.message_id, d.unique_key, u.message_id as holder into r
    from postrider.delivery d
    join postrider.consumer c on c.id = d.consumer_id
    left join postrider.consumer t on t.name = c.name and t.channel = p_channel
    join postrider.unique_job u
      on u.consumer_id = coalesce(t.id, c.id) and u.handler = d.handler and u.key = d.unique_key and u.place = 'first' and u.seq <> d.seq
    where d.id = any (p_deliveries) and d.status in ('failed', 'delivered') and d.unique_scope in ('until_finished', 'serial')
    limit 1;
    if found then
        raise exception using errcode = 'PR012',
            message = format('%s: the unique key %L of message %s is held by message %s', p_operation, r.unique_key, r.message_id,
                             r.holder),
            hint = 'Wait until that job has ended, or cancel it.';
    end if;
end
$$;
