-- Who may use the operator's surface over HTTP.
set local role postrider_owner;

-- Only the hash of an access token is stored: who reads this table cannot use any of them.
create table postrider.access_token (
    id bigint generated always as identity primary key,
    name text collate "C" not null,  -- what the audit calls its holder
    sha256 bytea not null,
    role text collate "C" not null,
    workspace_id uuid,  -- the only workspace its holder sees; null: all of them
    created_at timestamptz not null default clock_timestamp(),
    created_by text not null,
    expires_at timestamptz,
    revoked_at timestamptz,
    constraint access_token_sha256_key unique (sha256),
    constraint access_token_sha256_check check (octet_length(sha256) = 32),
    constraint access_token_name_check check (name ~ '^[A-Za-z0-9][A-Za-z0-9_.@+-]{0,126}$'),
    constraint access_token_role_check check (role in ('viewer', 'operator', 'admin'))
);
-- Two holders of one name could not be told apart in the audit.
create unique index access_token_name_key on postrider.access_token (name) where revoked_at is null;

-- A workspace's dead letters, the newest first, however many others there are.
create index delivery_failed_workspace_idx on postrider.delivery (workspace_id, dead_at desc, id)
    where status = 'failed' and deleted_at is null and workspace_id is not null;
