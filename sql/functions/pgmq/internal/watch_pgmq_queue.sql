-- watch_pgmq_queue(queue, diagnostics): gives postrider_owner, with whose rights dead letters are made, the rights to write their copies,
-- and creates the triggers that fire when a message leaves <queue>_dlq.
-- Raises: PR010 as require_own_pgmq().
-- postrider: after pgmq_copy_left, require_own_pgmq
create or replace function postrider.watch_pgmq_queue(p_queue text, p_diagnostics text) returns void
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    as $$
declare
    v_queue text := format('pgmq.%I', 'q_' || p_queue);
    v_dlq text := format('pgmq.%I', 'q_' || p_queue || '_dlq');
    r record;
begin
    perform postrider.require_own_pgmq(p_queue, p_diagnostics);
    for r in
        select n.nspname from pg_namespace n
        where (n.nspname = 'pgmq' or n.oid = (select c.relnamespace from pg_class c where c.oid = p_diagnostics::regclass))
          and not has_schema_privilege('postrider_owner', n.oid, 'usage')
    loop
        execute format('grant usage on schema %I to postrider_owner', r.nspname);
    end loop;
    execute format('grant select, update, delete on %s to postrider_owner', v_queue);
    execute format('grant select, insert, update, delete on %s to postrider_owner', v_dlq);
    execute format('grant select, insert, update, delete on %s to postrider_owner', p_diagnostics);
    for r in
        select c.oid::regclass as name from pg_depend e join pg_class c on c.oid = e.objid and c.relkind = 'S'
        where e.refobjid = p_diagnostics::regclass and e.deptype = 'a'  -- of columns of the type serial
    loop
        execute format('grant usage on sequence %s to postrider_owner', r.name);
    end loop;
    execute format('create or replace trigger postrider_copy_left after delete on %s
                    for each row execute function postrider.pgmq_copy_left(%L)', v_dlq, p_queue);
    execute format('create or replace trigger postrider_copies_left after truncate on %s
                    for each statement execute function postrider.pgmq_copy_left(%L)', v_dlq, p_queue);
end
$$;
