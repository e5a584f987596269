-- Rights of the roles. tests/sql/schema/catalog.sql has the whole matrix.
\ir include/check.sql

-- check: rows_change_through_functions_only
do $$
begin
    assert not exists (select from pg_class c, unnest('{producer,worker,operator,viewer}'::text[]) r
                       where c.relnamespace = 'postrider'::regnamespace and c.relkind in ('r', 'p')
                         and has_table_privilege('postrider_' || r, c.oid, 'update,delete,truncate'));
    assert (select bool_and(prosecdef and proconfig @> '{"search_path=pg_catalog, pg_temp"}') from pg_proc
            where pronamespace = 'postrider'::regnamespace and proname in ('settle', 'settle_due', 'claim', 'claim_due', 'reap', 'release', 'extend'));
end
$$;

-- check: nothing_is_granted_to_public
do $$
begin
    assert not exists (select from pg_proc p, aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) a
                       where p.pronamespace = 'postrider'::regnamespace and a.grantee = 0);
    assert not exists (select from pg_class c, aclexplode(c.relacl) a where c.relnamespace = 'postrider'::regnamespace and a.grantee = 0);
end
$$;

-- check: a_message_names_its_source_and_its_tenant
do $$
declare
    v_tenant uuid := gen_random_uuid();
begin
    perform promise.worker('tenant');
    perform postrider.publish('x', p_channel => 'tenant', p_source => 'accounts', p_workspace_id => v_tenant);
    commit;
    assert (select count(*) from postrider.outbox where source = 'accounts' and workspace_id = v_tenant and channel = 'tenant') = 1;
end
$$;

-- check: a_viewer_sees_no_payload_and_no_error_text
set role postrider_viewer;
do $$
declare
    v_query text;
begin
    foreach v_query in array '{"select payload from postrider.outbox","select last_error from postrider.outbox",
        "select payload from postrider.v_open_outbox","select last_error from postrider.v_pulse","select payload from postrider.v_pgmq",
        "select message from postrider.v_pgmq_queue"}'::text[] loop
        begin
            execute v_query;
            assert false, v_query;
        exception when insufficient_privilege then
            null;
        end;
    end loop;
    perform status from postrider.v_pulse;
    perform state from postrider.v_open_outbox;
end
$$;
