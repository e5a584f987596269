-- revoke_token(name, actor, reason): ends an access token.
-- Raises: PR014 when no token of this name is in use, PR001 without actor or reason.
-- Touches: access_token, audit.
-- postrider: grant operator
-- postrider: after write_audit
create or replace function postrider.revoke_token(p_name text, p_actor text, p_reason text) returns void
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
    as $$
begin
    update postrider.access_token set revoked_at = clock_timestamp() where name = p_name and revoked_at is null;
    if not found then
        raise exception using errcode = 'PR014', message = format('there is no token %s in use', coalesce(p_name, '(null)'));
    end if;
    perform postrider.write_audit(p_actor, 'revoke_token', p_reason, jsonb_build_object('token', p_name));
end
$$;
