-- Promises about rights, read from the catalog and then tried out:
--   exactly the functions listed below are SECURITY DEFINER, with a search_path that no other role can write to
--   PUBLIC has no rights; the execute rights are exactly the listing below
--   no role has rights on tables: a producer inserts envelope columns, a viewer sees no payloads, a worker has functions only
--   everything belongs to postrider_owner, which cannot log in
\ir ../include/promises.sql

-- exactly these functions are SECURITY DEFINER
create temp table definer as
select unnest('{add_alert_target,add_to_set,backfill_schedule,blocked_page,bury,cancel,cancelled_jobs,changed_handlers,claim,claim_alerts,claim_due,create_consumer,create_token,dead_groups,dead_list,dead_page,dead_reach,delay,delivery_page,define_schedule,deployment,discard,discarded_page,doorbell_relay,doorbell_state,doorbell_watch,drop_partitions,
    edit_and_replay,erase,ensure_partitions,enter_channel,enter_cluster,exchange,exchange_ordered,exchange_packed,exchange_waiting,extend,figures,find_token,fire_due,force_handler,group_fields,hand_over,hand_over_many,handle_once,has_peer,heartbeat,hold_handler,immediate_retries,intake,is_home,job_figures,keep_pgmq_copies,limit_preview,limit_running,log_is_ahead,maintain,may_send_alerts,message_page,message_reach,native_status,next_due,next_slots,next_times,
    outbox_replay,pace,pause_consumer,pause_schedule,pending_deliveries,pgmq_copy_left,publish_set,publish_unique,reap,record_progress,record_runs,redeliver,register_handler,register_worker,release,release_handler,
    remove_alert_target,remove_consumer,remove_limit,remove_schedule,replay_approve,replay_cancel,replay_pause,replay_preview,replay_proposal,replay_propose,replay_resume,replay_start,replay_status,
    replay_step,require_cluster,require_new_numbers,reschedule,restore,resume_worker,retention_run,retention_status,retire_handler,reveal,revoke_token,run_history,run_schedule,
    seek_consumer,set_followers_alert,set_limit,set_retention,set_wake,settle,settle_alerts,settle_due,system_identifier,transfer_consumer,
    unmatched,unregister_worker}'::text[]) as name;
do $$
declare
    v_wrong text;
begin
    select string_agg(coalesce(p.proname, d.name), ', ') into v_wrong
    from (select proname from pg_proc where pronamespace = 'postrider'::regnamespace and prosecdef) p
    full join definer d on d.name = p.proname
    where p.proname is null or d.name is null;
    assert v_wrong is null, 'SECURITY DEFINER and the list differ: ' || v_wrong;
    select string_agg(proname, ', ') into v_wrong
    from pg_proc
    where pronamespace = 'postrider'::regnamespace and prosecdef
      and not 'search_path=pg_catalog, pg_temp' = any (coalesce(proconfig, '{}'));
    assert v_wrong is null, 'search_path is not pinned: ' || v_wrong;
end
$$;

-- every other function with a search_path has the same, and every function that has none qualifies all it names
do $$
declare
    v_wrong text;
begin
    select string_agg(p.proname, ', ') into v_wrong
    from pg_proc p cross join lateral unnest(p.proconfig) c(setting)
    where p.pronamespace = 'postrider'::regnamespace and c.setting like 'search_path=%'
      and c.setting <> 'search_path=pg_catalog, pg_temp';
    assert v_wrong is null, v_wrong;
    -- pg_temp comes first for tables unless it is named: a temporary table must not stand in for the log's.
    select string_agg(p.proname, ', ') into v_wrong
    from pg_proc p
    where p.pronamespace = 'postrider'::regnamespace
      and not coalesce(p.proconfig, '{}')::text ~ 'search_path' and p.prosrc ~* '\m(from|join|into|update)\s+(message|lease|delivery|consumer|handler|worker|channel|setting|epoch)\M';
    assert v_wrong is null, v_wrong;
end
$$;

-- execute rights
create temp table may as
select f as function_name, r as role_name
from (values ('producer', '{message_keys,lock_claims,lock_doorbell,lock_keeper,lock_partitions,lock_retention,lock_tally,publish,publish_many,publish_set,add_to_set,publish_unique,message_problem,unknown_key,closest,enter_channel,insertion_time,uuid_v7}'),
             ('worker', '{immediate_retries,set_followers_alert,set_limit,remove_limit,limit_preview,record_runs,time_bound,hand_over,hand_over_many,intake,record_progress,cancel,cancelled_jobs,exchange_ordered,exchange_waiting,next_times,lock_claims,lock_doorbell,lock_keeper,lock_partitions,lock_retention,lock_tally,create_consumer,register_worker,unregister_worker,claim,exchange,exchange_packed,settle,release,extend,heartbeat,resume_worker,changed_handlers,handle_once,has_peer,
                          claim_due,settle_due,next_due,reap,maintain,doorbell_keep,doorbell_hold,doorbell_release,doorbell_relay,doorbell_watch,doorbell_state,ring,delay,profile,
                          define_schedule,remove_schedule,pause_schedule,run_schedule,backfill_schedule,fire_due,next_slots,
                          replay_step,retention_run,add_alert_target,may_send_alerts,claim_alerts,settle_alerts,classify,fingerprint,policy_number,lock_holder,native_status,deployment,server_mismatch,require_deployment}'),
             ('operator', '{blocked_page,job_figures,limit_json,limit_running,set_followers_alert,set_limit,remove_limit,limit_preview,group_shown,group_fields,history_span,run_history,time_bound,circuit_events,handler_shown,cancel,job_places,lock_claims,lock_doorbell,lock_keeper,lock_partitions,lock_retention,lock_tally,create_consumer,transfer_consumer,dead_list,lock_holder,unserving_keeper,native_status,pause_consumer,seek_consumer,remove_consumer,retire_handler,set_wake,reap,maintain,drop_partitions,partitions,pace,
                            define_schedule,remove_schedule,pause_schedule,run_schedule,backfill_schedule,fire_due,next_slots,
                            retention_run,retention_status,unmatched,set_retention,profile,
                            outbox_replay,redeliver,edit_and_replay,discard,restore,discarded_page,bury,reschedule,pending_deliveries,dead_page,dead_reach,replay_preview,replay_start,replay_propose,replay_proposal,replay_approve,replay_step,replay_pause,
                            replay_resume,replay_cancel,replay_status,hold_handler,release_handler,force_handler,add_alert_target,remove_alert_target,may_send_alerts,claim_alerts,settle_alerts,classify,fingerprint,policy_number,
                            create_token,revoke_token,find_token,reveal,message_page,message_reach,delivery_page,dead_groups,figures,
                            shown,visible_columns,view_page,cycles,message_rows,dead_letter_shown,replay_shown,xmin_holder,instant_ago,cycles_of,dead_rows,group_rows,preview_shown,preview_rows,error_excerpt,discarded_rows,delivery_rows,message_shown,edit_with,
                            ring,delay,behind,covers,matches,readable,written_digits,indented,ordering_shown,deployment,server_mismatch,is_home,log_is_ahead}'),
             ('viewer', '{blocked_page,job_figures,limit_json,limit_running,group_shown,history_span,run_history,time_bound,circuit_events,handler_shown,job_places,next_slots,lock_claims,lock_doorbell,lock_keeper,lock_partitions,lock_retention,lock_tally,lock_holder,unserving_keeper,native_status,figures,find_token,message_page,message_reach,replay_status,fingerprint,partitions,pace,retention_status,unmatched,shown,visible_columns,view_page,cycles,message_rows,dead_letter_shown,replay_shown,xmin_holder,instant_ago,profile,behind,covers,matches,readable,written_digits,indented,ordering_shown,deployment,server_mismatch,is_home,log_is_ahead}'),
             ('agent', '{blocked_page,job_figures,limit_json,limit_running,group_shown,history_span,run_history,time_bound,circuit_events,handler_shown,next_slots,lock_claims,lock_doorbell,lock_keeper,lock_partitions,lock_retention,lock_tally,lock_holder,unserving_keeper,native_status,figures,message_page,message_reach,replay_status,fingerprint,partitions,pace,retention_status,profile,behind,covers,matches,
                         shown,visible_columns,view_page,cycles,message_rows,dead_letter_shown,replay_shown,xmin_holder,instant_ago,cycles_of,dead_rows,group_rows,preview_shown,preview_rows,error_excerpt,
                         readable,written_digits,indented,ordering_shown,dead_list,dead_reach,dead_groups,replay_preview,replay_propose,replay_proposal}')) m(r, functions)
cross join lateral unnest(m.functions::text[]) f;
do $$
declare
    v_wrong text;
begin
    select string_agg(coalesce(a.proname, m.function_name) || ' ' || coalesce(a.role_name, m.role_name), ', ') into v_wrong
    from (select p.proname::text, r.role_name from pg_proc p
          cross join unnest('{producer,worker,operator,viewer,agent}'::text[]) r(role_name)
          where p.pronamespace = 'postrider'::regnamespace
            and has_function_privilege('postrider_' || r.role_name, p.oid, 'execute')) a
    full join may m on m.function_name = a.proname and m.role_name = a.role_name
    where a.proname is null or m.function_name is null;
    assert v_wrong is null, 'rights and the listing differ: ' || v_wrong;
end
$$;

-- nothing is PUBLIC's
drop role if exists postrider_test_unprivileged;
create role postrider_test_unprivileged;
do $$
declare
    v_wrong text;
begin
    assert not has_schema_privilege('postrider_test_unprivileged', 'postrider', 'usage');
    assert not has_schema_privilege('postrider_test_unprivileged', 'postrider', 'create');
    select string_agg(oid::regprocedure::text, ', ') into v_wrong from pg_proc
    where pronamespace = 'postrider'::regnamespace and has_function_privilege('postrider_test_unprivileged', oid, 'execute');
    assert v_wrong is null, v_wrong;
    select string_agg(oid::regclass::text, ', ') into v_wrong from pg_class
    where relnamespace = 'postrider'::regnamespace and relkind in ('r', 'p', 'v')
      and (has_table_privilege('postrider_test_unprivileged', oid, 'select,insert,update,delete,truncate,references,trigger')
           or has_any_column_privilege('postrider_test_unprivileged', oid, 'select,insert,update,references'));
    assert v_wrong is null, v_wrong;
end
$$;
drop role postrider_test_unprivileged;

-- the rights of each role on tables and columns
create temp table may_touch as
select relation, role_name, privilege, columns::text[]
from (values
    ('message', 'producer', 'INSERT', '{id,channel,event_type,event_version,occurred_at,source,target,content_class,generation,
        workspace_id,payload,headers,metadata,idempotency_key,ordering_key,partition_key,trace_context,available_at,priority,
        max_attempts}'),
    ('outbox', 'producer', 'INSERT', '{id,channel,event_type,event_version,occurred_at,source,target,content_class,generation,
        workspace_id,payload,headers,metadata,idempotency_key,ordering_key,partition_key,trace_context,available_at,priority,
        max_attempts}'),
    ('outbox', 'viewer', 'SELECT', '{id,channel,event_type,event_version,occurred_at,source,target,content_class,generation,
        workspace_id,idempotency_key,ordering_key,partition_key,trace_context,priority,seq,published_at,consumer,handler,
        status,attempts,attempts_total,failures,crashes,interruptions,cycle,max_attempts,available_at,claimed_at,worker_id,
        deadline,first_failed_at,error_class,fingerprint,dead_at,delivered_at,deleted_at,delivery_id}'),
    ('v_open_outbox', 'viewer', 'SELECT', '{event_id,event_type,state,created_at,partition_key,ordering_key,attempts,available_at,
        claimed_at,claimed_by,published_at,consumer,handler,attempts_total,cycle,delivery_id}'),
    ('v_pulse', 'viewer', 'SELECT', '{id,event_type,status,priority,attempts,max_attempts,next_run_at,locked_by,locked_at,
        lease_until,created_at,completed_at,consumer,handler,delivery_id}'),
    ('v_pgmq', 'viewer', 'SELECT', '{queue_name,original_msg_id,step,read_ct,first_seen,dead_at,message_id,delivery_id}'),
    ('v_pgmq_queue', 'viewer', 'SELECT', '{queue_name,msg_id,read_ct,enqueued_at,vt,message_id,step}')
) m(relation, role_name, privilege, columns);
insert into may_touch
select v, 'operator', 'SELECT', array_agg(attname)
from unnest('{outbox,v_open_outbox,v_pulse,v_pgmq,v_pgmq_queue,dead_letters,dead_letter_groups,handlers,consumers,workers,leases,replays,
             replay_items,schedules,alerts,unsent_alerts,audits,channels,channel_names,epochs,tokens,stats,top_totals,top_consumers,top_handlers,top_workers,
             top_replays,unique_keys,blocked_keys,limits,progress,job_sets,rollouts,attempts,brokers,pgmq_pipelines}'::text[]) v
join pg_attribute on attrelid = ('postrider.' || v)::regclass and attnum > 0
group by v;
insert into may_touch
select v.name, 'viewer', 'SELECT', array_agg(attname)
from (values ('dead_letters', '{last_error,failure_history,payload,headers,metadata}'), ('dead_letter_groups', '{sample_error}'),
             ('handlers', '{circuit_error}'), ('alerts', '{last_error}'), ('unsent_alerts', '{last_error}'), ('audits', '{before,after}'),
             ('tokens', '{name,role,workspace_id,created_at,created_by,expires_at,revoked_at}'), ('consumers', '{}'),
             ('workers', '{}'), ('leases', '{}'), ('replays', '{}'), ('replay_items', '{last_error}'), ('schedules', '{message,paused_reason}'), ('channels', '{}'), ('channel_names', '{}'), ('epochs', '{}'),
             ('stats', '{}'), ('top_totals', '{}'), ('top_consumers', '{}'), ('top_handlers', '{}'), ('top_workers', '{}'),
             ('top_replays', '{}'), ('unique_keys', '{}'), ('blocked_keys', '{}'), ('limits', '{}'), ('progress', '{text,result}'),
             ('job_sets', '{problem,message}'), ('rollouts', '{}'), ('attempts', '{error}'), ('brokers', '{last_error}'),
             ('pgmq_pipelines', '{problem}')) v(name, hidden)
join pg_attribute on attrelid = ('postrider.' || v.name)::regclass and attnum > 0 and attname <> all (v.hidden::text[])
group by v.name;
insert into may_touch
select t, r, 'SELECT', (select array_agg(attname) from pg_attribute
                        where attrelid = ('postrider.' || t)::regclass and attnum > 0 and not attisdropped)
from unnest('{setting,channel,migration,function_set,retention_policy}'::text[]) t, unnest('{producer,worker,operator,viewer,agent}'::text[]) r;
-- An agent has a viewer's rights, and sees error texts.
insert into may_touch
select m.relation, 'agent', 'SELECT', m.columns || case m.relation when 'dead_letters' then '{last_error,failure_history}'::text[]
    when 'dead_letter_groups' then '{sample_error}' when 'handlers' then '{circuit_error}' when 'replay_items' then '{last_error}' when 'attempts' then '{error}' end
from may_touch m where m.role_name = 'viewer' and m.relation not in ('tokens', 'setting', 'channel', 'migration', 'function_set', 'retention_policy');
do $$
declare
    v_wrong text;
begin
    select string_agg(concat_ws(' ', a.relname, a.attname, a.role_name, a.privilege), ', ') into v_wrong
    from (select c.relname::text, att.attname::text, r.role_name, p.privilege,
                 has_column_privilege('postrider_' || r.role_name, c.oid, att.attnum, p.privilege) as allowed
          from pg_class c
          join pg_attribute att on att.attrelid = c.oid and att.attnum > 0 and not att.attisdropped
          cross join unnest('{producer,worker,operator,viewer,agent}'::text[]) r(role_name)
          cross join unnest('{SELECT,INSERT,UPDATE,REFERENCES}'::text[]) p(privilege)
          where c.relnamespace = 'postrider'::regnamespace and c.relkind in ('r', 'p', 'v')) a
    where a.allowed <> exists (select from may_touch m where m.relation = a.relname and m.role_name = a.role_name
                               and m.privilege = a.privilege and a.attname = any (m.columns));
    assert v_wrong is null, 'rights and the listing differ: ' || v_wrong;
    select string_agg(c.relname || ' ' || r, ', ') into v_wrong
    from pg_class c cross join unnest('{producer,worker,operator,viewer,agent}'::text[]) r
    where c.relnamespace = 'postrider'::regnamespace
      and case when c.relkind = 'S' then has_sequence_privilege('postrider_' || r, c.oid, 'usage,select,update')
               when c.relkind in ('r', 'p', 'v') then has_table_privilege('postrider_' || r, c.oid, 'delete,truncate,trigger') end;
    assert v_wrong is null, v_wrong;
end
$$;

-- everything belongs to postrider_owner, which cannot log in; roles are groups
do $$
declare
    v_wrong text;
begin
    select string_agg(o.what, ', ') into v_wrong
    from (select oid::regclass::text as what, relowner as owner from pg_class where relnamespace = 'postrider'::regnamespace
          union all
          select oid::regprocedure::text, proowner from pg_proc where pronamespace = 'postrider'::regnamespace
          union all
          select oid::regtype::text, typowner from pg_type where typnamespace = 'postrider'::regnamespace
          union all
          select nspname, nspowner from pg_namespace where nspname = 'postrider') o
    where o.owner <> 'postrider_owner'::regrole;
    assert v_wrong is null, v_wrong;
    assert (select count(*) from pg_roles where rolname in ('postrider_owner', 'postrider_producer', 'postrider_worker',
                'postrider_operator', 'postrider_viewer', 'postrider_agent') and not rolcanlogin and not rolsuper and not rolcreaterole
                and not rolcreatedb and not rolbypassrls and not rolreplication) = 6;
    assert not exists (select from pg_auth_members m where m.member::regrole::text ~ '^postrider_(producer|worker|operator|viewer|agent)$'
                       and m.roleid::regrole::text ~ '^postrider_');
    assert not has_database_privilege('postrider_owner', current_database(), 'create');
end
$$;

-- tried out: every role can do its work from end to end, with these rights alone
set role postrider_worker;
select set_config('promise.worker', promise.worker('rights')::text, false) \g /dev/null
set role postrider_producer;
select postrider.publish('a', '{"n": 1}', p_channel => 'rights') \g /dev/null
insert into postrider.message (event_type, channel, priority) values ('a', 'rights', 1);
insert into postrider.outbox (event_type, channel, payload) values ('a', 'rights', '{"n": 3}');
reset role;
select promise.park(current_setting('promise.worker')::uuid) \g /dev/null
set role postrider_worker;
do $$
declare
    w uuid := current_setting('promise.worker')::uuid;
    c record;
begin
    for c in select x.lease_id, (array_agg(x.lease_token))[1] as token, array_agg(x.seq) as seqs
             from postrider.claim(w) x group by 1 loop
        assert cardinality(c.seqs) = 2;
        assert postrider.extend(w, c.lease_id, c.token, '1 hour') = 'extended';
        assert not exists (select from postrider.heartbeat(w, array[c.lease_id]));
        assert postrider.settle(w, c.lease_id, c.token, c.seqs[1:1], jsonb_build_array(
            jsonb_build_object('seq', c.seqs[2], 'outcome', 'terminal', 'error', 'secret'))) = 'settled';
        assert postrider.release(w, c.lease_id, c.token) = 'settled';
    end loop;
    select * into strict c from postrider.claim_due(w);
    assert (select result from postrider.settle_due(w, jsonb_build_array(jsonb_build_object(
        'delivery', c.delivery_id, 'token', c.lease_token, 'outcome', 'transient')))) = 'pending';
    assert postrider.next_due(w) is not null;
    perform postrider.exchange(w, 1);
    perform postrider.reap(), postrider.maintain(), postrider.ring('rights');
    assert postrider.doorbell_keep('rights');
    perform postrider.doorbell_hold('rights'), postrider.doorbell_watch('rights'), postrider.doorbell_state('rights');
    perform postrider.doorbell_release('rights'), postrider.doorbell_relay('rights');
    perform postrider.unregister_worker(w);
end
$$;
set role postrider_viewer;
do $$
begin
    assert (select array_agg(o.status order by o.seq) from postrider.outbox o where o.channel = 'rights') = '{delivered,pending,failed}';
    assert (select count(*) from postrider.partitions()) > 1;
    perform promise.raises($q$select payload from postrider.outbox$q$, '42501');
    perform promise.raises($q$select headers from postrider.outbox$q$, '42501');
    perform promise.raises($q$select metadata from postrider.outbox$q$, '42501');
    perform promise.raises($q$select last_error from postrider.outbox$q$, '42501');
    perform promise.raises($q$select failure_history from postrider.outbox$q$, '42501');
    perform promise.raises($q$select o from postrider.outbox o$q$, '42501');
    perform promise.raises($q$select count(*) from postrider.outbox where payload ? 'n'$q$, '42501');
    perform promise.raises($q$select from postrider.delivery$q$, '42501');
end
$$;
set role postrider_operator;
do $$
begin
    assert (select last_error from postrider.outbox where channel = 'rights' and status = 'failed') = 'secret';
    perform postrider.pause_consumer('reader', true, 'rights'), postrider.pause_consumer('reader', false, 'rights');
    perform postrider.retire_handler('reader', 'test.all', 'rights');
    perform postrider.set_wake('rights', 'always'), postrider.set_wake('rights', 'doorbell');
    perform postrider.drop_partitions('-infinity'), postrider.maintain(), postrider.reap();
    perform promise.raises($q$select postrider.rebase()$q$, '42501');
end
$$;
reset role;
