-- record_runs(worker, runs): adds the runs that the worker has counted since its last call to the history of their handlers. p_runs: a
-- JSON array with one object per handler: {"handler", "delivered", "transient", "terminal", "other", "attempts", "run_times",
--   "queue_times"}; the last three are arrays of counts, as the table run_bucket has them. A key that is left out counts as 0.
-- A count may have nine digits: the history adds up those of all consumers.
-- Handlers that the worker did not register are passed over. The runs count for the minute of the call.
-- Returns: the clock of the database.
-- Raises: PR001 for malformed records, PR004 when the worker is not registered.
-- Touches: run_bucket (insert, update), worker (read).
-- postrider: grant worker
-- postrider: after require_worker, require_keys, sum_counts, time_bounds
create or replace function postrider.record_runs(p_worker uuid, p_runs jsonb default '[]') returns timestamptz
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
    as $$
declare
    v_consumer constant int := postrider.require_worker(p_worker);
    v_minute constant bigint := floor(extract(epoch from clock_timestamp()) / 60);
begin
    if jsonb_typeof(p_runs) is distinct from 'array' then
        raise exception using errcode = 'PR001', message = 'record_runs: the runs must be a JSON array';
    elsif p_runs = '[]' then
        return clock_timestamp();
    end if;
    perform postrider.require_keys(
        p_runs, '{handler,delivered,transient,terminal,other,attempts,run_times,queue_times}', 'a record of runs');
    if jsonb_path_exists(p_runs, 'strict $[*] ? (@.type() != "object")') then
        raise exception using errcode = 'PR001', message = 'record_runs: the runs must be objects';
    -- Only JSON numbers: jsonb_to_recordset() would also convert strings.
    elsif jsonb_path_exists(p_runs, 'strict $[*].keyvalue() ? (@.key != "handler" && @.value.type() != "array").value ? (
              !(@.type() == "number" && @ >= 0 && @ < 1000000000))')
          or jsonb_path_exists(p_runs, 'strict $[*].keyvalue() ? (@.key != "handler" && @.value.type() == "array").value[*] ? (
              !(@.type() == "number" && @ >= 0 && @ < 1000000000))') then
        raise exception using errcode = 'PR001', message = 'record_runs: a count must be a number from 0 to 999999999';
    elsif exists (select from jsonb_to_recordset(p_runs) as r(handler text) group by r.handler having count(*) > 1) then
        raise exception using errcode = 'PR001', message = 'record_runs: a handler is named twice';
    end if;
    -- In the same order for all workers, which prevents deadlocks.
    insert into postrider.run_bucket as b (
        consumer_id, handler, width, slot, since, delivered, transient, terminal, other, attempts, run_times, queue_times)
    select v_consumer, r.handler, w.width, v_minute / w.width % w.slots, to_timestamp(v_minute / w.width * w.width * 60),
           coalesce(r.delivered, 0), coalesce(r.transient, 0), coalesce(r.terminal, 0), coalesce(r.other, 0),
           (coalesce(r.attempts, '{}'))[:8], (coalesce(r.run_times, '{}'))[:postrider.time_bounds()],
           (coalesce(r.queue_times, '{}'))[:postrider.time_bounds()]
    from jsonb_to_recordset(p_runs) as r(
        handler text, delivered bigint, transient bigint, terminal bigint, other bigint, attempts bigint[], run_times bigint[],
        queue_times bigint[])
    cross join (values (1, 60), (10, 144), (60, 168)) as w(width, slots)
    where r.handler = any (array(select unnest(k.handlers) from postrider.worker k where k.id = p_worker))
    order by r.handler, w.width
    on conflict on constraint run_bucket_pkey do update
    set since = excluded.since,
        delivered = excluded.delivered + case when b.since = excluded.since then b.delivered else 0 end,
        transient = excluded.transient + case when b.since = excluded.since then b.transient else 0 end,
        terminal = excluded.terminal + case when b.since = excluded.since then b.terminal else 0 end,
        other = excluded.other + case when b.since = excluded.since then b.other else 0 end,
        attempts = postrider.sum_counts(excluded.attempts, case when b.since = excluded.since then b.attempts end),
        run_times = postrider.sum_counts(excluded.run_times, case when b.since = excluded.since then b.run_times end),
        queue_times = postrider.sum_counts(excluded.queue_times, case when b.since = excluded.since then b.queue_times end)
    -- After the clock was set back, a newer bucket must not be replaced.
    where b.since <= excluded.since;
    return clock_timestamp();
end
$$;
