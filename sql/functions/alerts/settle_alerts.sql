-- settle_alerts(target, results): reports which claimed alerts were sent to a target and which were not. p_results is a
-- JSON array of {"alert", "token", "outcome": "sent" | "failed", "error"}. One that failed is handed out again later,
-- after 1 s, 2 s, 4 s … up to 5 minutes with full jitter, for as long as the alert is kept.
-- Returns: how many of them this sender still held. The leases of the others had expired, and they were handed out
--   again.
-- Raises: PR001 for malformed results, 55P03 when another transaction holds one of the alerts, because its lease has expired.
-- Touches: alert_sending.
-- postrider: grant worker, operator
-- postrider: after delay, require_keys
create or replace function postrider.settle_alerts(p_target text, p_results jsonb) returns int
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
    set lock_timeout = '100ms'
    as $$
declare
    v_sent int;
    v_failed int;
begin
    perform postrider.require_keys(p_results, '{alert,token,outcome,error}', 'a result');
    if jsonb_typeof(p_results) is distinct from 'array'
       or exists (select from jsonb_array_elements(p_results) as r(item)
                  where coalesce(r.item ->> 'outcome', '') not in ('sent', 'failed')) then
        raise exception using errcode = 'PR001',
            message = 'settle_alerts: expects a JSON array of {"alert", "token", "outcome": "sent" or "failed"}';
    end if;
    delete from postrider.alert_sending s
    using jsonb_to_recordset(p_results) as r(alert bigint, token uuid, outcome text)
    where s.target = p_target and s.alert_id = r.alert and s.token = r.token and r.outcome = 'sent';
    get diagnostics v_sent = row_count;
    update postrider.alert_sending s
    set available_at = clock_timestamp() + postrider.delay('{}', s.attempts, random()), token = null,
        last_error = left(r.error, 1000)
    from jsonb_to_recordset(p_results) as r(alert bigint, token uuid, outcome text, error text)
    where s.target = p_target and s.alert_id = r.alert and s.token = r.token and r.outcome = 'failed';
    get diagnostics v_failed = row_count;
    return v_sent + v_failed;
end
$$;
