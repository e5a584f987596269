-- Roles of Postrider. They are cluster-wide and group roles only: grant them to your own login roles.
--   postrider_owner     owns every object, cannot log in
--   postrider_producer  may publish
--   postrider_worker    may claim, settle and heartbeat
--   postrider_operator  may look at everything and change what a consumer is owed
--   postrider_viewer    may look, but not at payloads
--   postrider_agent     may look as a viewer, also at error texts, and propose replays that an operator approves
do $roles$
declare
    v_role text;
begin
    foreach v_role in array array['postrider_owner', 'postrider_producer', 'postrider_worker',
                                  'postrider_operator', 'postrider_viewer', 'postrider_agent'] loop
        if not exists (select from pg_catalog.pg_roles where rolname = v_role) then
            begin
                execute format('create role %I nologin', v_role);
            exception when duplicate_object or unique_violation then
                null;  -- another installation in this cluster was quicker
            end;
        end if;
    end loop;
    if not (select rolsuper from pg_catalog.pg_roles where rolname = current_user)
       and not pg_catalog.pg_has_role(current_user, 'postrider_owner', 'usage') then
        execute format('grant postrider_owner to %I', current_user);
    end if;
    if to_regnamespace('postrider') is null then
        execute format('grant create on database %I to postrider_owner', current_database());
        create schema postrider authorization postrider_owner;
        execute format('revoke create on database %I from postrider_owner', current_database());
    end if;
end
$roles$;
