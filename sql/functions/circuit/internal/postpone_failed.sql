-- postpone_failed(consumer_id, handler, until, behind): the deliveries of a handler that have failed, and not been snoozed since, wait until then,
-- at most 2000 of them, and only those among the next 20,000 of the handler, so that first attempts run before them. They take turns: those that have been due for longest come first, and, with
-- p_behind, all of them come after those that wait until then already. Otherwise the same deliveries would run in each trial.
-- Touches: delivery (update); deliveries that another transaction has locked are left alone.
create or replace function postrider.postpone_failed(p_consumer_id int, p_handler text, p_until timestamptz, p_behind boolean) returns void
    language plpgsql volatile
    as $$
begin
    update postrider.delivery d
    set available_at = p_until + interval '0.5 seconds' * p_behind::int + interval '1 microsecond' * o.number
    from (select f.id, row_number() over (order by f.available_at, f.id) as number
          from (select d.id, d.available_at from postrider.delivery d
                where d.id = any (array(
                          select n.id
                          from (select e.id, e.failures, e.outcome from postrider.delivery e
                                where e.consumer_id = p_consumer_id and e.handler = p_handler and e.status = 'pending' and e.available_at < p_until
                                order by e.priority desc, e.available_at, e.id limit 20000) n
                          where n.failures > 0 and n.outcome is distinct from 'snooze'
                          limit 2000))
                  and d.status = 'pending' and d.available_at < p_until
                for no key update skip locked) f) o
    where d.id = o.id;
end
$$;
