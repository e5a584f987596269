-- require_deployment(name): raises an error in a database of another deployment, such as a copy of production that was started
-- beside it and not adopted. A null name allows every database.
-- Raises: PR019 when the database belongs to another deployment.
-- postrider: grant worker
-- postrider: after deployment
create or replace function postrider.require_deployment(p_name text) returns void
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
    as $$
declare
    v_name text := (select d.name from postrider.deployment() d);
begin
    if p_name <> v_name or p_name is not null and v_name is null then
        raise exception using errcode = 'PR019',
            message = format('this database belongs to the deployment %s, expected %s', coalesce(v_name, '(none)'), p_name),
            hint = format('Connect to a database of %s. If this is a copy for %1$s, run in it: postrider adopt %1$s --drop-owed --reason …',
                          p_name);
    end if;
end
$$;
