-- end_holds(busy): ends the holds of dead letters that have held their ordering key for the consumer's hold time, and starts their followers. At most
-- 1000 dead letters and about a second per call, because reap() of every worker calls it; later calls handle the others. p_busy are consumers to leave out; the caller
-- holds the claim locks of the other ordered consumers. An error for one consumer does not affect the others.
-- Returns: how many dead letters no longer hold their key. Touches: delivery and the tables that next_followers() touches; consumer (read).
-- postrider: after heads_ended
create or replace function postrider.end_holds(p_busy int[]) returns int
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    as $$
declare
    v_most constant int := 1000;
    v_ended int := 0;
    v_until constant timestamptz := clock_timestamp() + interval '1 second';
    v_some bigint[];
    c record;
begin
    for c in
        select co.id, co.hold_for from postrider.consumer co
        where co.ordered and co.hold_for > interval '0' and co.id <> all (p_busy)
        order by random()
    loop
        exit when v_ended >= v_most or clock_timestamp() > v_until;
        begin
            with over as (
                update postrider.delivery d set heads = false
                where d.id = any (array(
                    select o.id from postrider.delivery o
                    where o.consumer_id = c.id and o.heads and o.status = 'failed' and o.deleted_at is null
                      and o.dead_at <= clock_timestamp() - c.hold_for
                    order by o.dead_at limit v_most - v_ended
                    for update skip locked))
                returning d.id
            )
            select array_agg(o.id) into v_some from over o;
            perform postrider.heads_ended(v_some) where v_some is not null;
            v_ended := v_ended + coalesce(cardinality(v_some), 0);
        exception when others then
            raise warning 'holds of consumer % cannot be ended: %', c.id, sqlerrm;
        end;
    end loop;
    return v_ended;
end
$$;
