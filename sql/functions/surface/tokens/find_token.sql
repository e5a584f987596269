-- find_token(sha256): the name and the rights of an access token. No row for an unknown, revoked or expired token.
-- postrider: grant operator, viewer
create or replace function postrider.find_token(
    p_sha256 bytea, out name text, out role text, out workspace_id uuid, out expires_at timestamptz
) returns setof record
    language sql stable security definer
    set search_path = pg_catalog, pg_temp
    as $$
    select t.name, t.role, t.workspace_id, t.expires_at from postrider.access_token t
    where t.sha256 = p_sha256 and t.revoked_at is null and (t.expires_at is null or t.expires_at > clock_timestamp())
    $$;
