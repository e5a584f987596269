-- The rights of the roles. PUBLIC has none, and no role has a right on a table but a producer's INSERT of envelope columns.
-- Everything is revoked first, then granted: functions as their files say, views and columns as listed below.
do $grants$
declare
    v_function regprocedure;
    v_row record;
begin
    -- Everything belongs to the owner role, whichever role ran the migration.
    for v_function in
        select p.oid from pg_catalog.pg_proc p
        where p.pronamespace = 'postrider'::regnamespace
          and p.proowner <> 'postrider_owner'::regrole
    loop
        execute format('alter function %s owner to postrider_owner', v_function);
    end loop;
    for v_row in
        select c.relname from pg_catalog.pg_class c
        where c.relnamespace = 'postrider'::regnamespace and c.relkind = 'v'
          and c.relowner <> 'postrider_owner'::regrole
    loop
        execute format('alter view postrider.%I owner to postrider_owner', v_row.relname);
    end loop;

    revoke all on schema postrider from public;
    revoke all on all functions in schema postrider
        from public, postrider_producer, postrider_worker, postrider_operator, postrider_viewer, postrider_agent;
    revoke all on all tables in schema postrider
        from public, postrider_producer, postrider_worker, postrider_operator, postrider_viewer, postrider_agent;
    grant usage on schema postrider
        to postrider_producer, postrider_worker, postrider_operator, postrider_viewer, postrider_agent;

    -- Every public function names its roles in its file ("-- postrider: grant …"); the migrator passes them as a setting.
    -- exchange_native is the native library's.
    for v_row in
        select g.function_name, g.role_name
        from jsonb_to_recordset(current_setting('postrider.function_grants')::jsonb) as g(function_name text, role_name text)
        union all
        values ('exchange_native', 'worker')
    loop
        for v_function in
            select p.oid from pg_catalog.pg_proc p
            where p.pronamespace = 'postrider'::regnamespace and p.proname = v_row.function_name
        loop
            execute format('grant execute on function %s to postrider_%s', v_function, v_row.role_name);
        end loop;
    end loop;
end
$grants$;

grant insert (
    id, channel, event_type, event_version, occurred_at, source, target, content_class, generation, workspace_id,
    payload, headers, metadata, idempotency_key, ordering_key, partition_key, trace_context, available_at,
    priority, max_attempts) on postrider.message to postrider_producer;
grant insert (
    id, channel, event_type, event_version, occurred_at, source, target, content_class, generation, workspace_id,
    payload, headers, metadata, idempotency_key, ordering_key, partition_key, trace_context, available_at,
    priority, max_attempts) on postrider.outbox to postrider_producer;
grant select on postrider.outbox, postrider.v_open_outbox, postrider.v_pulse, postrider.v_pgmq, postrider.v_pgmq_queue,
    postrider.dead_letters, postrider.dead_letter_groups, postrider.handlers, postrider.consumers, postrider.leases,
    postrider.workers, postrider.replays, postrider.replay_items, postrider.schedules, postrider.alerts, postrider.unsent_alerts,
    postrider.audits, postrider.channels, postrider.channel_names, postrider.epochs, postrider.tokens, postrider.stats, postrider.top_totals,
    postrider.top_consumers, postrider.top_handlers, postrider.top_workers, postrider.top_replays, postrider.unique_keys,
    postrider.blocked_keys, postrider.limits, postrider.progress, postrider.job_sets, postrider.rollouts, postrider.attempts, postrider.brokers,
    postrider.pgmq_pipelines to postrider_operator;
grant select on postrider.consumers, postrider.workers, postrider.leases, postrider.replays,
    postrider.channels, postrider.channel_names, postrider.epochs, postrider.stats, postrider.top_totals, postrider.top_consumers, postrider.top_handlers,
    postrider.top_workers, postrider.top_replays, postrider.unique_keys, postrider.blocked_keys, postrider.limits, postrider.rollouts to postrider_viewer, postrider_agent;
grant select (
    delivery_id, id, consumer, channel, handler, event_type, event_version, source, target, workspace_id, content_class,
    generation, dead_at, outcome, error_class, fingerprint, attempts, attempts_total, failures, crashes, interruptions,
    max_attempts, cycle, first_failed_at, published_at, occurred_at, idempotency_key, ordering_key, partition_key,
    trace_context, priority, seq, replay_id, history_dropped) on postrider.dead_letters to postrider_viewer, postrider_agent;
grant select (
    consumer, channel, handler, fingerprint, error_class, count, event_type, first_seen, last_seen, sample_delivery_id,
    sample_id) on postrider.dead_letter_groups to postrider_viewer, postrider_agent;
grant select (
    consumer, channel, handler, event_types, retry, max_attempts, max_crashes, classes, honour_terminal, circuit,
    circuit_state, circuit_mode, failures_in_a_row, circuit_openings, opened_at, probe_at, probes_allowed,
    probes_running, circuit_error_class, registered_at, workers, pending, failed, next_due_at, mode_by, mode_reason)
    on postrider.handlers to postrider_viewer, postrider_agent;
grant select (
    consumer, channel, handler, direction, address, name, event_types, workers, behind_since, pending, failed, circuit_state, circuit_mode,
    opened_at, probe_at, error_class) on postrider.brokers to postrider_viewer, postrider_agent;
grant select (queue, consumer, diagnostics, defined_at, defined_by, copies, missing)
    on postrider.pgmq_pipelines to postrider_viewer, postrider_agent;
grant select (
    delivery_id, id, workspace_id, consumer, channel, handler, cycle, attempt, at, outcome, error_class, duration_ms, worker)
    on postrider.attempts to postrider_viewer, postrider_agent;
grant select (replay, number, delivery_id, id, outcome, note, moved_at, ended_at, error_class)
    on postrider.replay_items to postrider_viewer, postrider_agent;
grant select (
    alert_id, kind, at, event_id, event_type, source, target, handler_name, attempts, consumer, channel, delivery_id,
    cycle, fingerprint, error_class, unsent) on postrider.alerts, postrider.unsent_alerts to postrider_viewer, postrider_agent;
grant select (audit, at, actor, role, action, reason, filter) on postrider.audits to postrider_viewer, postrider_agent;
grant select (
    schedule, cron, time_zone, event_type, target, channel, workspace_id, overlap, catch_up, jitter, paused, next_slot, queued_slot,
    last_slot, last_fired_at, last_message_id, fired, late, skipped, owner, created_at, changed_at)
    on postrider.schedules to postrider_viewer, postrider_agent;
grant select (id, consumer, channel, handler, fraction, recorded_at) on postrider.progress to postrider_viewer, postrider_agent;
grant select (
    set_id, name, dead, created_at, created_by, open, ended, failed, completed_at, message_id, event_type, target)
    on postrider.job_sets to postrider_viewer, postrider_agent;
grant select (in_use) on postrider.tokens to postrider_viewer;
grant select (
    id, channel, event_type, event_version, occurred_at, source, target, content_class, generation, workspace_id,
    idempotency_key, ordering_key, partition_key, trace_context, priority, seq, published_at, consumer, handler,
    status, attempts, attempts_total, failures, crashes, interruptions, cycle, max_attempts, available_at,
    claimed_at, worker_id, deadline, first_failed_at, error_class, fingerprint, dead_at, delivered_at,
    deleted_at, delivery_id) on postrider.outbox to postrider_viewer, postrider_agent;
grant select (
    event_id, event_type, state, created_at, partition_key, ordering_key, attempts, available_at, claimed_at, claimed_by,
    published_at, consumer, handler, attempts_total, cycle, delivery_id) on postrider.v_open_outbox to postrider_viewer, postrider_agent;
grant select (
    id, event_type, status, priority, attempts, max_attempts, next_run_at, locked_by, locked_at, lease_until, created_at,
    completed_at, consumer, handler, delivery_id) on postrider.v_pulse to postrider_viewer, postrider_agent;
grant select (
    queue_name, original_msg_id, step, read_ct, first_seen, dead_at, message_id, delivery_id)
    on postrider.v_pgmq to postrider_viewer, postrider_agent;
grant select (
    queue_name, msg_id, read_ct, enqueued_at, vt, message_id, step) on postrider.v_pgmq_queue to postrider_viewer, postrider_agent;
-- Agents may read error texts, but no payloads.
grant select (last_error, failure_history) on postrider.dead_letters to postrider_agent;
grant select (sample_error) on postrider.dead_letter_groups to postrider_agent;
grant select (circuit_error) on postrider.handlers to postrider_agent;
grant select (last_error) on postrider.replay_items to postrider_agent;
grant select (error) on postrider.attempts to postrider_agent;
grant select on postrider.setting, postrider.channel, postrider.migration, postrider.function_set,
    postrider.retention_policy
    to postrider_producer, postrider_worker, postrider_operator, postrider_viewer, postrider_agent;

-- Creates the first partitions of the log ahead of time.
select * from postrider.maintain();
