-- Included by the files about circuits.

create function promise.circuit(p_channel text, p_handler text default 'a.x') returns text
    language sql
    as $$
    select concat_ws(' ', h.circuit_state, h.failures_in_a_row, h.circuit_openings, h.probes_allowed, h.probes_running)
    from postrider.handlers h where h.channel = p_channel and h.handler = p_handler
    $$;

-- probe_now(channel): the time for the next probe, or for retries that wait until the end of a trial, has come.
create function promise.probe_now(p_channel text) returns void
    language sql
    as $$
    update postrider.delivery d set available_at = d.available_at - (k.probe_at - now()) - interval '1 second'
    from postrider.circuit k, postrider.consumer c
    where c.channel = p_channel and k.consumer_id = c.id and k.state = 'trial' and d.consumer_id = c.id and d.handler = k.handler
      and d.available_at >= k.probe_at and d.available_at < k.probe_at + interval '1 second';
    update postrider.circuit k set probe_at = clock_timestamp() - interval '1 second'
    from postrider.consumer c
    where c.id = k.consumer_id and c.channel = p_channel and (k.state = 'open' or k.state = 'trial' and k.probe_at is not null)
    $$;

-- settle_some(worker, failed): claims all messages, fails the first p_failed of them and delivers the rest.
create procedure promise.settle_some(p_worker uuid, p_limit int, p_failed int, p_outcome text default 'transient')
    language plpgsql
    as $$
declare
    l postrider.lease;
begin
    perform postrider.claim(p_worker, p_limit);
    l := promise.newest_lease(p_worker);
    perform postrider.settle(p_worker, l.id, l.token, null, (
        select jsonb_agg(jsonb_build_object('seq', s, 'outcome', p_outcome, 'error', 'down')) from unnest(l.members[:p_failed]) s));
    commit;
end
$$;
