-- create_token(name, sha256, role, workspace, expires_at, actor, reason): makes an access token for the operator's surface.
-- The token itself never comes here, only its SHA-256. role: viewer, operator or admin. workspace: the only one its
-- holder sees; null: all of them. expires_at: null means it is good until it is revoked.
-- Raises: PR001 for invalid arguments and without actor or reason, PR012 when a token of this name is in use.
-- Touches: access_token, audit.
-- postrider: grant operator
-- postrider: after write_audit
create or replace function postrider.create_token(
    p_name text, p_sha256 bytea, p_role text, p_workspace uuid, p_expires_at timestamptz, p_actor text, p_reason text
) returns void
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
    as $$
begin
    if p_role is null or p_role not in ('viewer', 'operator', 'admin') then
        raise exception using errcode = 'PR001', message = 'create_token: the role must be viewer, operator or admin';
    elsif p_name is null or p_name !~ '^[A-Za-z0-9][A-Za-z0-9_.@+-]{0,126}$' then
        raise exception using errcode = 'PR001',
            message = 'create_token: the name must be 1 to 127 letters, digits and _ . @ + -, and begin with a letter or digit';
    elsif octet_length(p_sha256) is distinct from 32 then
        raise exception using errcode = 'PR001', message = 'create_token: sha256 must have 32 bytes';
    elsif p_expires_at <= clock_timestamp() then
        raise exception using errcode = 'PR001', message = format('create_token: expires_at must be in the future, got %s', p_expires_at);
    end if;
    -- An expired token frees its name.
    update postrider.access_token set revoked_at = expires_at
    where name = p_name and revoked_at is null and expires_at <= clock_timestamp();
    insert into postrider.access_token (name, sha256, role, workspace_id, expires_at, created_by)
    values (p_name, p_sha256, p_role, p_workspace, p_expires_at, coalesce(left(p_actor, 255), ''))
    on conflict do nothing;
    if not found then
        raise exception using errcode = 'PR012', message = format('create_token: there is already a token %s', p_name),
            hint = 'Revoke it first, or choose another name.';
    end if;
    perform postrider.write_audit(
        p_actor, 'create_token', p_reason, jsonb_build_object('token', p_name), null,
        jsonb_build_object('role', p_role, 'workspace_id', p_workspace, 'expires_at', p_expires_at));
end
$$;
