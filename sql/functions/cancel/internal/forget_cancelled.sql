-- forget_cancelled(consumer_id, seqs): removes cancelled messages that the consumer's cursor has passed from its row (null: all of them).
-- When none is left, claims no longer check every message.
-- Touches: consumer (update).
create or replace function postrider.forget_cancelled(p_consumer_id int, p_seqs bigint[]) returns void
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    as $$
begin
    update postrider.consumer c
    set cancelled = n.rest,
        handlers = case when n.rest is null and c.held_handlers is null and not c.ordered and c.limited_handlers is null
                        then array_remove(c.handlers, '') else c.handlers end
    from (select o.id, nullif(array(select s from unnest(o.cancelled) s where s <> all (p_seqs)), '{}') as rest
          from postrider.consumer o where o.id = p_consumer_id) n
    where c.id = n.id and c.cancelled is not null;
end
$$;
