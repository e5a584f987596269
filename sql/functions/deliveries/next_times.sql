-- next_times(worker): when the next delivery and the next waiting message come due for a worker.
-- Returns: delivery_at: the next delivery of its handlers, or the next probe of a handler whose circuit is open, or soon while a
--   handler is on trial, so that a claim ends it; waiting_at: the next message that waits. Instants, possibly past, never infinite
--   ones: callers do arithmetic with them; null when nothing waits.
--   For a delivery or message that waits for a limit, a time at least 100 ms from now.
--   A delivery that is due at infinity waits until an operator reschedules it.
-- Raises: PR004, PR010 like require_worker().
-- postrider: grant worker
-- postrider: after next_waiting, require_worker, full_handlers
create or replace function postrider.next_times(p_worker uuid, out delivery_at timestamptz, out waiting_at timestamptz)
    language plpgsql stable security definer
    set search_path = pg_catalog, pg_temp
    set jit = off
    set enable_seqscan = off
    set enable_bitmapscan = off
    set enable_hashjoin = off
    set enable_mergejoin = off
    set plan_cache_mode = force_generic_plan
    as $$
declare
    v_full text[] := postrider.full_handlers(p_worker);
    v_soon timestamptz := clock_timestamp() + interval '100 ms';
begin
    waiting_at := postrider.next_waiting(postrider.require_worker(p_worker));
    delivery_at := (
        with recursive mine as (
            select w.consumer_id, h.name
            from postrider.worker w cross join lateral unnest(w.handlers) as h(name)
            where w.id = p_worker
        ), held as (
            select k.handler, k.probe_at, cardinality(k.probes) < k.allowed as free
            from mine m join postrider.circuit k on k.consumer_id = m.consumer_id and k.handler = m.name
            where k.state in ('open', 'ramp')
        ), trial as (
            select min(clock_timestamp() + case when k.probe_at > clock_timestamp() then interval '1 second' else interval '5 seconds' end) as at
            from mine m join postrider.circuit k on k.consumer_id = m.consumer_id and k.handler = m.name
            where k.state = 'trial'
        ), priority (consumer_id, handler, value) as (
            select m.consumer_id, m.name,
                   (select max(d.priority) from postrider.delivery d
                    where d.consumer_id = m.consumer_id and d.handler = m.name and d.status = 'pending')
            from mine m
            union all
            select p.consumer_id, p.handler,
                   (select max(d.priority) from postrider.delivery d
                    where d.consumer_id = p.consumer_id and d.handler = p.handler
                      and d.status = 'pending' and d.priority < p.value)
            from priority p
            where p.value is not null
        )
        select case when n.at = '-infinity' then clock_timestamp() when n.at <> 'infinity' then n.at end
        from (
            select least(min(case when p.handler = any (v_full) then greatest(due.available_at, v_soon)
                                  else due.available_at end), (select min(h.probe_at) from held h where h.free),
                         (select t.at from trial t)) as at
            from priority p
            cross join lateral (
                select d.available_at from postrider.delivery d
                where d.consumer_id = p.consumer_id and d.handler = p.handler and d.status = 'pending'
                  and d.priority = p.value
                order by d.available_at limit 1) due
            where p.handler not in (select h.handler from held h where not h.free or h.probe_at > clock_timestamp())) n);
end
$$;
