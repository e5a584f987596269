-- full_handlers(worker): the handlers of a worker whose limit allows no delivery to start now.
-- Touches: worker, consumer and the tables of limit_due() (read).
-- postrider: after limit_due
create or replace function postrider.full_handlers(p_worker uuid) returns text[]
    language plpgsql stable
    as $$
declare
    w record;
begin
    select o.consumer_id, array(select unnest(o.handlers) intersect select unnest(c.limited_handlers)) as limited into w
    from postrider.worker o join postrider.consumer c on c.id = o.consumer_id
    where o.id = p_worker and c.limited_handlers is not null;
    if not found then
        return '{}';
    end if;
    return array(
        select h.name
        from unnest(w.limited, postrider.limit_due(w.consumer_id, p_worker, w.limited, null, clock_timestamp())) as h(name, slots)
        where h.slots <= 0);
end
$$;
