-- discarded_page(filter, limit, dead_at, delivery): one page of discarded dead letters, the one that died last first.
-- filter is dead_where()'s. The next page is the one behind the dead_at and delivery_id of the last row of this one.
-- Returns: the columns of a list, with the time and the reason of the discard, and the message that replaced the dead
--   letter, if there is one.
-- Raises: PR001 for a bad filter or limit.
-- postrider: grant operator
-- postrider: after dead_where
create or replace function postrider.discarded_page(
    p_filter jsonb default '{}', p_limit int default 50, p_dead_at timestamptz default null, p_delivery bigint default null
) returns table (
    delivery_id bigint, id uuid, consumer text, channel text, handler text, event_type text, source text,
    workspace_id uuid, generation bigint, dead_at timestamptz, attempts int, cycle int, error_class text, fingerprint text,
    last_error text, deleted_at timestamptz, deleted_reason text, successor uuid)
    language plpgsql stable security definer
    set search_path = pg_catalog, pg_temp
    as $$
begin
    if p_limit is null or p_limit not between 1 and 10000 then
        raise exception using errcode = 'PR001', message = 'discarded_page: the limit must be between 1 and 10000';
    end if;
    return query execute format(
        'select d.id, d.message_id, c.name, c.channel, d.handler, d.event_type, d.source, d.workspace_id, d.generation, d.dead_at,
                d.attempts, d.cycle, d.error_class, d.fingerprint, d.last_error, d.deleted_at, d.deleted_reason, d.successor
         from postrider.delivery d join postrider.consumer c on c.id = d.consumer_id
         where %s and ($2 is null or d.dead_at <= $2 and (d.dead_at < $2 or d.id > $3))
         order by d.dead_at desc, d.id limit $1', postrider.dead_where(p_filter, true))
    using p_limit, p_dead_at, coalesce(p_delivery, 0);
end
$$;
