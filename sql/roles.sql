-- Roles of Postrider. They are cluster-wide and group roles only: grant them to your own login roles.
--   postrider_owner     owns every object, cannot log in
--   postrider_producer  may publish
--   postrider_worker    may claim, settle and heartbeat
--   postrider_operator  may read everything and change the state of messages and consumers
--   postrider_viewer    may read everything except payloads and error texts
--   postrider_agent     may read as a viewer, also error texts, and propose replays that an operator approves
do $roles$
declare
    v_role text;
    v_grant text;
    v_options constant boolean := current_setting('server_version_num')::int >= 160000;  -- of a membership: inherit, set
begin
    foreach v_role in array array['postrider_owner', 'postrider_producer', 'postrider_worker',
                                  'postrider_operator', 'postrider_viewer', 'postrider_agent'] loop
        if not exists (select from pg_catalog.pg_roles where rolname = v_role) then
            begin
                execute format('create role %I nologin', v_role);
            exception
                when duplicate_object or unique_violation then
                    null;  -- another installation in this cluster has just created it
                when insufficient_privilege then
                    raise exception using errcode = '42501',
                        message = format('role %I may not create the role %I', current_user, v_role),
                        hint = format('Run as a superuser, then migrate again: alter role %I createrole;', current_user);
            end;
        end if;
    end loop;
    if not (select rolsuper from pg_catalog.pg_roles where rolname = current_user)
       and not (pg_catalog.pg_has_role(current_user, 'postrider_owner', 'usage')
                and case when v_options then pg_catalog.pg_has_role(current_user, 'postrider_owner', 'set') else true end) then
        -- The member has to own the objects (inherit) and to create them (set role).
        v_grant := format('grant postrider_owner to %I', current_user)
            || case when v_options then ' with inherit true, set true' else '' end;
        begin
            execute v_grant;
        exception when insufficient_privilege then
            -- From PostgreSQL 16 on CREATEROLE covers only the roles that the role itself created.
            raise exception using errcode = '42501',
                message = format('role %I is not a member of postrider_owner and may not grant itself the membership', current_user),
                hint = format('Run as a superuser%s, then migrate again: %s;',
                    (select ' or as ' || string_agg(quote_ident(r.rolname), ' or ' order by r.rolname)
                     from pg_catalog.pg_auth_members m join pg_catalog.pg_roles r on r.oid = m.member
                     where m.roleid = 'postrider_owner'::regrole and m.admin_option and not r.rolsuper), v_grant);
        end;
    end if;
    if to_regnamespace('postrider') is null then
        if not pg_catalog.has_database_privilege(current_user, current_database(), 'create') then
            raise exception using errcode = '42501',
                message = format('role %I may not create a schema in the database %I', current_user, current_database()),
                hint = format('Run as a superuser or as the owner of the database, then migrate again: '
                              'grant create on database %I to %I;', current_database(), current_user);
        end if;
        create schema postrider authorization postrider_owner;
    end if;
end
$roles$;
