-- require_own_pgmq(queue, diagnostics): raises an error if another role could run code with the rights of postrider_owner, which writes the copies of
-- dead letters: as the owner of the schema pgmq or of a table or function there, by a trigger that calls its function, or with the privilege TRIGGER,
-- which "grant all" includes. The other roles are those that are neither superusers nor members of postrider_owner.
-- Called before each write, because grants and triggers are made at any time. A table that does not exist is passed over.
-- Raises: PR010.
create or replace function postrider.require_own_pgmq(p_queue text, p_diagnostics text) returns void
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
    as $$
declare
    r record;
begin
    with written as materialized (
        select t.oid::regclass as oid
        from (values (to_regclass(format('pgmq.%I', 'q_' || p_queue))), (to_regclass(format('pgmq.%I', 'q_' || p_queue || '_dlq'))),
                     (to_regclass(p_diagnostics))) as t(oid)
        where t.oid is not null
    ), part as materialized (
        select w.oid from written w union select p.relid from written w cross join lateral pg_partition_tree(w.oid) p
    ), foreigner as materialized (
        select a.oid, a.rolname from pg_roles a where not a.rolsuper and not pg_has_role(a.oid, 'postrider_owner', 'member')
        union all
        select 0, 'public'
    )
    select x.* into r
    from (select format('%s belongs to the role %s', c.oid::regclass, f.rolname) as obstacle, null as remedy, f.rolname
          from part p join pg_class c on c.oid = p.oid join foreigner f on f.oid = c.relowner
          union all
          select format('%s belongs to the role %s', p.oid::regprocedure, f.rolname), null, f.rolname
          from pg_proc p join foreigner f on f.oid = p.proowner
          where p.pronamespace = to_regnamespace('pgmq')
            and p.proname in ('send', 'format_table_name', 'create', 'create_non_partitioned', 'validate_queue_name', 'acquire_queue_lock')
          union all
          select format('the schema pgmq belongs to the role %s', f.rolname), null, f.rolname
          from pg_namespace n join foreigner f on f.oid = n.nspowner where n.nspname = 'pgmq'
          union all
          select format('the trigger %I of %s calls a function of the role %s', t.tgname, p.oid, f.rolname),
                 format('drop trigger %I on %s;', t.tgname, p.oid), f.rolname
          from part p join pg_trigger t on t.tgrelid = p.oid and not t.tgisinternal
          join pg_proc n on n.oid = t.tgfoid join foreigner f on f.oid = n.proowner
          union all
          select format('the role %s may create triggers on %s', f.rolname, p.oid), format('revoke trigger on %s from %I;', p.oid, f.rolname), f.rolname
          from part p join pg_class c on c.oid = p.oid cross join lateral aclexplode(c.relacl) g join foreigner f on f.oid = g.grantee
          where g.privilege_type = 'TRIGGER') x
    limit 1;
    if found then
        raise exception using errcode = 'PR010', message = r.obstacle || ', which could use it to act as postrider_owner',
            hint = coalesce(r.remedy, format('Give it to a superuser or to a member of postrider_owner, or: grant postrider_owner to %I;', r.rolname));
    end if;
end
$$;
