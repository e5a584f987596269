-- erase_content(ids): erases the content of messages whose jobs have ended, or are ahead of the cursors.
-- Touches: message, delivery, circuit, job_progress, alert, audit, event_handled.
create or replace function postrider.erase_content(p_ids uuid[]) returns void
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    as $$
declare
    v_tombstone constant json := '{"erased": true}';
    v_now constant timestamptz := clock_timestamp();
begin
    delete from postrider.event_handled h
    using (select m.source, m.idempotency_key from postrider.message m where m.id = any (p_ids) and m.idempotency_key is not null
           union
           select d.source, d.idempotency_key from postrider.delivery d where d.message_id = any (p_ids)) e
    where h.idempotency_key = e.idempotency_key and h.source = e.source;
    update postrider.message m
    set payload = v_tombstone, headers = null, metadata = null, idempotency_key = null, ordering_key = null, partition_key = null,
        trace_context = null, unique_key = null, unique_scope = null, target = '!erased'
    where m.id = any (p_ids);
    update postrider.delivery d
    set payload = v_tombstone, headers = null, metadata = null, idempotency_key = d.message_id::text, ordering_key = null,
        partition_key = null, trace_context = null, unique_key = null, unique_scope = null, target = '!erased',
        last_error = case when d.last_error is not null then 'erased' end, error_class = 'erased', deleted_reason = 'erased',
        deleted_at = coalesce(d.deleted_at, v_now),
        failure_history = (select coalesce(jsonb_agg(e.cycle - 'last_error' order by e.n), '[]')
                           from jsonb_array_elements(d.failure_history) with ordinality as e(cycle, n)),
        attempt_history = (select coalesce(jsonb_agg(e.attempt - 'error' order by e.n), '[]')
                           from jsonb_array_elements(d.attempt_history) with ordinality as e(attempt, n))
    where d.message_id = any (p_ids);
    -- The error may be from another message of the handler; it is erased in any case.
    update postrider.circuit k set last_error = 'erased'
    from postrider.delivery d
    where d.message_id = any (p_ids) and k.consumer_id = d.consumer_id and k.handler = d.handler and k.last_error is not null;
    update postrider.alert a set last_error = 'erased'
    from postrider.delivery d join postrider.consumer c on c.id = d.consumer_id
    where d.message_id = any (p_ids) and a.kind = 'circuit_opened' and a.consumer = c.name and a.channel = c.channel
      and a.handler_name = d.handler and a.last_error is not null;
    delete from postrider.job_progress p where p.message_id = any (p_ids);
    update postrider.alert a set last_error = 'erased' where a.event_id = any (p_ids) and a.last_error is not null;
    update postrider.audit a
    set before = a.before - '{payload,headers}'::text[], after = a.after - '{payload,headers}'::text[]
    where a.action = 'edit_and_replay'
      and ((a.before ->> 'id')::uuid = any (p_ids) or (a.after ->> 'id')::uuid = any (p_ids));
end
$$;
