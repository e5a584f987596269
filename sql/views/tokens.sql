-- tokens: the access tokens of the operator's surface, without their hashes.
create or replace view postrider.tokens as
select t.name, t.role, t.workspace_id, t.created_at, t.created_by, t.expires_at, t.revoked_at,
       t.revoked_at is null and (t.expires_at is null or t.expires_at > clock_timestamp()) as in_use
from postrider.access_token t;
