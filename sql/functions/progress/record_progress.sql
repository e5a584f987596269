-- record_progress(worker, reports): records the progress and the results of jobs that the worker runs. A job has a row for them from
-- its first report until its message is removed; retries and replays keep it.
-- p_reports is a JSON array of objects that name a job, as {"lease", "token", "seq", "id", "handler"} or {"delivery", "token"}, with
--   fraction (from 0 to 1), text (up to 1000 bytes) and result (any JSON of up to 16384 bytes). A value that is missing stays as it is.
-- A report of a job that the worker no longer holds is ignored. Call it every second or less often: each call rewrites the rows.
-- Returns: how many reports were recorded.
-- Raises: PR001 for malformed reports, PR002 for a text or a result that is too large, PR004 unknown worker.
-- Touches: job_progress; lease, delivery, handler (read).
-- postrider: grant worker
-- postrider: after require_progress, require_worker
create or replace function postrider.record_progress(p_worker uuid, p_reports json) returns int
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
    as $$
declare
    v_consumer int := postrider.require_worker(p_worker);
    v_count int;
begin
    perform postrider.require_progress(p_reports);
    with reported as (
        select * from rows from (json_to_recordset(p_reports) as (
            lease bigint, seq bigint, id uuid, handler text, delivery bigint, token uuid, fraction float8, text text, result json))
            with ordinality as r(lease, seq, id, handler, delivery, token, fraction, text, result, number)
    ), held as (
        select r.id, r.handler, r.fraction, r.text, r.result, r.number
        from reported r
        join postrider.lease l on l.consumer_id in (v_consumer, -v_consumer) and l.id = r.lease and l.token = r.token
        where l.worker_id = p_worker and l.finished_at is null and r.seq = any (l.members)
          and exists (select from postrider.handler h where h.consumer_id = v_consumer and h.name = r.handler)
        union all
        select d.message_id, d.handler, r.fraction, r.text, r.result, r.number
        from reported r
        join postrider.delivery d on d.id = r.delivery and d.lease_token = r.token
        where d.worker_id = p_worker and d.consumer_id = v_consumer
    ), newest as (
        select distinct on (h.id, h.handler) h.* from held h where h.id is not null order by h.id, h.handler, h.number desc
    )
    insert into postrider.job_progress as p (message_id, consumer_id, handler, fraction, text, result)
    select n.id, v_consumer, n.handler, n.fraction, n.text, n.result from newest n
    on conflict (message_id, consumer_id, handler) do update
    set fraction = coalesce(excluded.fraction, p.fraction), text = coalesce(excluded.text, p.text),
        result = coalesce(excluded.result, p.result), recorded_at = clock_timestamp();
    get diagnostics v_count = row_count;
    return v_count;
end
$$;
