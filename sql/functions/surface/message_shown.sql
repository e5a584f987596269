-- message_shown(id, workspace, errors): one message without its payload, its deliveries with their earlier cycles, and the progress that
-- its handlers recorded.
-- workspace: null means any. errors: with the error texts, and with texts and results of handlers.
-- Returns: a JSON object {"message", "deliveries", "progress"} with ids as text; null when there is no such message.
-- postrider: grant operator
-- postrider: after outbox, message_page, cycles, progress, shown, job_places
create or replace function postrider.message_shown(p_id uuid, p_workspace uuid default null, p_errors boolean default false)
    returns json
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
    as $$
declare
    v_envelope constant text[] := '{id,channel,event_type,event_version,occurred_at,source,target,content_class,generation,
        workspace_id,idempotency_key,ordering_key,partition_key,trace_context,priority,seq,published_at}';
    v_hidden constant text[] := case when p_errors then '{}'::text[] else '{last_error}' end;
    v_secret constant text[] := case when p_errors then '{}'::text[] else '{text,result}' end;
begin
    return (
        with d as materialized (
            select o.id, o.channel, o.event_type, o.event_version, o.occurred_at, o.source, o.target, o.content_class, o.generation,
                   o.workspace_id, o.idempotency_key, o.ordering_key, o.partition_key, o.trace_context, o.priority, o.seq, o.published_at,
                   o.consumer, o.handler, o.status, o.attempts, o.attempts_total, o.failures, o.crashes, o.interruptions, o.cycle,
                   o.max_attempts, o.available_at, o.claimed_at, o.worker_id, o.deadline, o.first_failed_at, o.last_error, o.error_class,
                   o.fingerprint, o.failure_history, o.dead_at, o.delivered_at, o.deleted_at, o.delivery_id
            from postrider.outbox o where o.id = p_id and (p_workspace is null or o.workspace_id = p_workspace)
        ), m as (
            select row_to_json(d) as found from d
            union all
            select row_to_json(p) from postrider.message_page(jsonb_build_object('id', p_id)) p
            where p_workspace is null or p.workspace_id = p_workspace
            limit 1
        )
        select json_build_object(
            'message', postrider.shown(m.found, true, p_only => v_envelope),
            'deliveries', (
                select coalesce(json_agg(postrider.shown(row_to_json(v), true, v_hidden)
                                         order by v.consumer, v.handler, v.delivery_id), '[]')
                from (select d.delivery_id, d.id, d.consumer, d.channel, d.handler, d.event_type, d.source, d.workspace_id, d.generation,
                             d.status, j.state, d.attempts, d.attempts_total, d.failures, d.crashes, d.interruptions, d.cycle, d.max_attempts,
                             d.available_at, d.claimed_at, d.worker_id, d.deadline, d.first_failed_at, d.error_class,
                             d.fingerprint, d.dead_at, d.delivered_at, d.deleted_at, d.published_at, d.last_error,
                             (select coalesce(json_agg(postrider.shown(row_to_json(h), true, v_hidden) order by h.cycle), '[]')
                              from postrider.cycles(d.failure_history) h) as cycles
                      from d
                      left join postrider.job_places(p_id) j on j.consumer = d.consumer and j.channel = d.channel
                          and j.handler is not distinct from d.handler and j.delivery_id is not distinct from d.delivery_id) v),
            'progress', (
                select coalesce(json_agg(postrider.shown(row_to_json(p), true, v_secret) order by p.consumer, p.channel, p.handler), '[]')
                from (select g.consumer, g.channel, g.handler, g.fraction, g.recorded_at, g.text, g.result
                      from postrider.progress g where g.id = p_id) p))
        from m);
end
$$;
