-- Who may do what. Nothing is PUBLIC's; tables are nobody's but for a producer's INSERT of envelope columns.
-- The matrices below are the whole truth: the rest is revoked first.
do $grants$
declare
    v_function regprocedure;
    v_row record;
begin
    -- Everything belongs to the owner role, whoever ran the migration.
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

    for v_row in
        select * from (values
            ('publish', 'producer'),
            ('publish_many', 'producer'),
            ('insertion_time', 'producer'),
            ('enter_cluster', 'producer'),
            ('enter_channel', 'producer'),
            ('uuid_v7', 'producer'),
            ('message_problem', 'producer'),
            ('unknown_key', 'producer'),
            ('closest', 'producer'),
            ('create_consumer', 'worker'),
            ('register_worker', 'worker'),
            ('unregister_worker', 'worker'),
            ('claim', 'worker'),
            ('exchange', 'worker'),
            ('exchange_packed', 'worker'),
            ('exchange_native', 'worker'),  -- where there is one
            ('settle', 'worker'),
            ('release', 'worker'),
            ('extend', 'worker'),
            ('heartbeat', 'worker'),
            ('has_peer', 'worker'),
            ('resume_worker', 'worker'),
            ('changed_handlers', 'worker'),
            ('handle_once', 'worker'),
            ('claim_due', 'worker'),
            ('claim_due_raw', 'worker'),
            ('settle_due', 'worker'),
            ('next_due', 'worker'),
            ('reap', 'worker'),
            ('maintain', 'worker'),
            ('doorbell_keep', 'worker'),
            ('doorbell_hold', 'worker'),
            ('doorbell_release', 'worker'),
            ('doorbell_relay', 'worker'),
            ('doorbell_watch', 'worker'),
            ('doorbell_state', 'worker'),
            ('ring', 'worker'),
            ('delay', 'worker'),
            ('profile', 'worker'),
            ('deployment', 'worker'),
            ('displaced', 'worker'),
            ('require_deployment', 'worker'),
            ('create_consumer', 'operator'),
            ('deployment', 'operator'),
            ('displaced', 'operator'),
            ('is_home', 'operator'),
            ('log_is_ahead', 'operator'),
            ('deployment', 'viewer'),
            ('displaced', 'viewer'),
            ('is_home', 'viewer'),
            ('log_is_ahead', 'viewer'),
            ('pause_consumer', 'operator'),
            ('remove_consumer', 'operator'),
            ('transfer_consumer', 'operator'),
            ('retire_handler', 'operator'),
            ('set_wake', 'operator'),
            ('reap', 'operator'),
            ('maintain', 'operator'),
            ('drop_partitions', 'operator'),
            ('retention_run', 'operator'),
            ('unmatched', 'operator'),
            ('retention_status', 'operator'),
            ('set_retention', 'operator'),
            ('profile', 'operator'),
            ('partitions', 'operator'),
            ('pace', 'operator'),
            ('ring', 'operator'),
            ('delay', 'operator'),
            ('covers', 'operator'),
            ('matches', 'operator'),
            ('readable', 'operator'),
            ('replay_step', 'worker'),
            ('retention_run', 'worker'),
            ('add_alert_target', 'worker'),
            ('claim_alerts', 'worker'),
            ('settle_alerts', 'worker'),
            ('may_send_alerts', 'worker'),
            ('classify', 'worker'),
            ('fingerprint', 'worker'),
            ('policy_number', 'worker'),
            ('outbox_replay', 'operator'),
            ('redeliver', 'operator'),
            ('edit_and_replay', 'operator'),
            ('discard', 'operator'),
            ('undo_discard', 'operator'),
            ('discarded_page', 'operator'),
            ('bury', 'operator'),
            ('reschedule', 'operator'),
            ('dead_page', 'operator'),
            ('dead_reach', 'operator'),
            ('replay_preview', 'operator'),
            ('replay_start', 'operator'),
            ('replay_propose', 'operator'),
            ('replay_approve', 'operator'),
            ('replay_proposal', 'operator'),
            ('replay_step', 'operator'),
            ('replay_pause', 'operator'),
            ('replay_resume', 'operator'),
            ('replay_cancel', 'operator'),
            ('replay_status', 'operator'),
            ('set_circuit', 'operator'),
            ('create_token', 'operator'),
            ('revoke_token', 'operator'),
            ('find_token', 'operator'),
            ('reveal', 'operator'),
            ('message_page', 'operator'),
            ('message_reach', 'operator'),
            ('delivery_page', 'operator'),
            ('dead_groups', 'operator'),
            ('figures', 'operator'),
            ('add_alert_target', 'operator'),
            ('remove_alert_target', 'operator'),
            ('claim_alerts', 'operator'),
            ('settle_alerts', 'operator'),
            ('may_send_alerts', 'operator'),
            ('classify', 'operator'),
            ('fingerprint', 'operator'),
            ('policy_number', 'operator'),
            ('dead_list', 'operator'),
            ('lock_holder', 'operator'),
            ('native_status', 'operator'),
            ('lock_holder', 'worker'),
            ('native_status', 'worker'),
            ('lock_holder', 'viewer'),
            ('native_status', 'viewer'),
            ('figures', 'viewer'),
            ('find_token', 'viewer'),
            ('message_page', 'viewer'),
            ('message_reach', 'viewer'),
            ('replay_status', 'viewer'),
            ('fingerprint', 'viewer'),
            ('partitions', 'viewer'),
            ('pace', 'viewer'),
            ('unmatched', 'viewer'),
            ('retention_status', 'viewer'),
            ('profile', 'viewer'),
            ('covers', 'viewer'),
            ('matches', 'viewer'),
            ('readable', 'viewer'),
            ('lock_holder', 'agent'),
            ('native_status', 'agent'),
            ('figures', 'agent'),
            ('message_page', 'agent'),
            ('message_reach', 'agent'),
            ('replay_status', 'agent'),
            ('fingerprint', 'agent'),
            ('partitions', 'agent'),
            ('pace', 'agent'),
            ('retention_status', 'agent'),
            ('profile', 'agent'),
            ('covers', 'agent'),
            ('matches', 'agent'),
            ('readable', 'agent'),
            ('dead_list', 'agent'),
            ('dead_reach', 'agent'),
            ('dead_groups', 'agent'),
            ('replay_preview', 'agent'),
            ('replay_propose', 'agent'),
            ('replay_proposal', 'agent')
        ) as matrix (function_name, role_name)
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
    postrider.workers, postrider.replays, postrider.replay_items, postrider.alerts, postrider.unsent_alerts,
    postrider.audits, postrider.channels, postrider.epochs, postrider.tokens
    to postrider_operator;
grant select on postrider.consumers, postrider.workers, postrider.leases, postrider.replays, postrider.replay_items,
    postrider.channels, postrider.epochs to postrider_viewer, postrider_agent;
grant select (
    delivery_id, id, consumer, channel, handler, event_type, event_version, source, target, workspace_id, content_class,
    generation, dead_at, outcome, error_class, fingerprint, attempts, attempts_total, failures, crashes, interruptions,
    max_attempts, cycle, first_failed_at, published_at, occurred_at, idempotency_key, ordering_key, partition_key,
    trace_context, priority, seq, replay_id, history_dropped) on postrider.dead_letters to postrider_viewer, postrider_agent;
grant select (
    consumer, channel, handler, fingerprint, error_class, count, event_type, first_seen, last_seen, sample_delivery_id,
    sample_id) on postrider.dead_letter_groups to postrider_viewer, postrider_agent;
grant select (
    consumer, channel, handler, event_types, retry, max_attempts, crashes_max, classes, honour_terminal, circuit,
    circuit_state, circuit_mode, failures_in_a_row, circuit_openings, opened_at, probe_at, probes_allowed,
    probes_running, circuit_error_class, registered_at, workers, pending, failed, next_due_at)
    on postrider.handlers to postrider_viewer, postrider_agent;
grant select (
    alert_id, kind, at, event_id, event_type, source, target, handler_name, attempts, consumer, channel, delivery_id,
    cycle, fingerprint, error_class, unsent) on postrider.alerts, postrider.unsent_alerts to postrider_viewer, postrider_agent;
grant select (audit, at, actor, role, action, reason, filter) on postrider.audits to postrider_viewer, postrider_agent;
grant select (in_use) on postrider.tokens to postrider_viewer;
grant select (
    id, channel, event_type, event_version, occurred_at, source, target, content_class, generation, workspace_id,
    idempotency_key, ordering_key, partition_key, trace_context, priority, seq, published_at, consumer, handler,
    status, attempts, attempts_total, failures, crashes, interruptions, cycle, max_attempts, available_at,
    claimed_at, claimed_by, lease_until, first_failed_at, error_class, fingerprint, dead_at, delivered_at,
    deleted_at, delivery_id) on postrider.outbox to postrider_viewer, postrider_agent;
grant select (
    event_id, event_type, state, created_at, partition_key, ordering_key, attempts, available_at, claimed_at, claimed_by,
    published_at, consumer, handler, attempts_total, cycle, delivery_id) on postrider.v_open_outbox to postrider_viewer, postrider_agent;
grant select (
    id, event_type, status, priority, attempts, max_attempts, next_run_at, locked_by, locked_at, lease_until, created_at,
    completed_at, consumer, handler, delivery_id) on postrider.v_pulse to postrider_viewer, postrider_agent;
grant select (
    queue_name, original_msg_id, step, read_ct, first_seen, dead_at, event_id, delivery_id)
    on postrider.v_pgmq to postrider_viewer, postrider_agent;
grant select (
    queue_name, msg_id, read_ct, enqueued_at, vt, event_id, step) on postrider.v_pgmq_queue to postrider_viewer, postrider_agent;
-- Agents are told what handlers said, but no payloads.
grant select (last_error, failure_history) on postrider.dead_letters to postrider_agent;
grant select (sample_error) on postrider.dead_letter_groups to postrider_agent;
grant select (circuit_error) on postrider.handlers to postrider_agent;
grant select on postrider.setting, postrider.channel, postrider.migration, postrider.function_set,
    postrider.retention_policy
    to postrider_producer, postrider_worker, postrider_operator, postrider_viewer, postrider_agent;

-- The log's partitions are made ahead of time from the first day.
select * from postrider.maintain();
