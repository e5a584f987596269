-- put_probes_first(consumer_id, handler, now, count): lets deliveries that have not failed yet be the next probes of a handler, before those that
-- have. Messages that always fail would keep the circuit open otherwise, although the handler works: while it is open, they use no attempts.
-- Touches: delivery (update); deliveries that another transaction has locked are left alone.
-- postrider: after due_shares, untried
create or replace function postrider.put_probes_first(p_consumer_id int, p_handler text, p_now timestamptz, p_count int) returns void
    language plpgsql volatile
    as $$
declare
    f record;  -- the first delivery that has failed, of those that would be the probes
begin
    select o.priority, o.available_at into f
    from (select t.*
          from postrider.due_shares(p_consumer_id, array[p_handler], row(1, 0, null, null, true)::postrider.due_want, p_now) s
          cross join lateral (
              select d.id, d.priority, d.available_at, d.failures
              from postrider.delivery d
              where d.consumer_id = p_consumer_id and d.handler = p_handler and d.status = 'pending'
                and d.priority = s.priority and d.available_at <= p_now
              order by d.available_at, d.id limit p_count) t
          order by t.priority desc, t.available_at, t.id limit p_count) o
    where o.failures > 0
    order by o.priority desc, o.available_at, o.id limit 1;
    if found then
        update postrider.delivery
        set priority = f.priority, available_at = f.available_at - interval '1 microsecond'
        where id = any (array(
            select d.id from postrider.delivery d
            where d.id in (select u from postrider.untried(p_consumer_id, p_handler, p_now, p_count) u)
              and (d.priority < f.priority or d.available_at >= f.available_at)
            for no key update skip locked));
    end if;
end
$$;
