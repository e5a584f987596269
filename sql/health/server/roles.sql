-- Group roles and their privileges, against the installed ones.
select 'problem' as level, 'role ' || r || ' does not exist' as what, 'privileges are granted to it' as why, 'postrider migrate up' as todo
from unnest('{postrider_owner,postrider_producer,postrider_worker,postrider_operator,postrider_viewer}'::text[]) r
where not exists (select from pg_roles where rolname = r)
union all
select 'warning', r.rolname || ' can log in', 'it is a group role: a login with it has more privileges than any user needs',
       format('alter role %I nologin;', r.rolname)
from pg_roles r
where r.rolname in ('postrider_owner', 'postrider_producer', 'postrider_worker', 'postrider_operator', 'postrider_viewer')
  and r.rolcanlogin
union all
select 'problem', format('PUBLIC may execute %s functions of schema postrider, for example %s', count(*), min(p.proname)),
       'the privileges differ from the installed ones',
       'delete from postrider.function_set;  -- then: postrider migrate up'
from pg_proc p
where p.pronamespace = to_regnamespace('postrider')
  and exists (select from aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) a where a.grantee = 0)
having count(*) > 0
union all
select 'problem', format('%s may not execute %s', g.role_name, g.function_name), 'programs with this role fail',
       'delete from postrider.function_set;  -- then: postrider migrate up'
from (values ('postrider_producer', 'publish'), ('postrider_worker', 'exchange_packed'), ('postrider_worker', 'settle_due'),
             ('postrider_worker', 'exchange_native'),
             ('postrider_operator', 'replay_start'), ('postrider_viewer', 'replay_status')) g(role_name, function_name)
join pg_proc p on p.pronamespace = to_regnamespace('postrider') and p.proname = g.function_name
join pg_roles r on r.rolname = g.role_name
where not has_function_privilege(r.oid, p.oid, 'execute')
union all
select 'note', format('%s is not a member of any role of postrider', current_user), 'most commands fail with this role',
       format('grant postrider_viewer to %I;  -- or producer, worker, operator', current_user)
where not (select rolsuper from pg_roles where rolname = current_user)
  and not exists (select from pg_roles r where r.rolname in ('postrider_owner', 'postrider_producer', 'postrider_worker',
                      'postrider_operator', 'postrider_viewer') and pg_has_role(current_user, r.oid, 'usage'))
