-- What a role may do to others: owners of consumers, sizes that cannot be hidden by compression, approvals by another user.
set local role postrider_owner;

-- The role whose members may work for the consumers of a name, on every channel: a replay may move a delivery to the consumer of
-- the same name on another one. By name and not by oid, which means something else after a dump and restore.
create table postrider.consumer_owner (
    name text collate "C" primary key,
    role text not null,
    since timestamptz not null default clock_timestamp()
);

alter table postrider.worker
    add column login text,  -- the database user that registered or resumed the worker; null: before users were recorded
    add column changed_handlers text[] collate "C" not null default '{}';  -- changed by others since it registered

-- Sizes are those of the text. What comes from a table's column may be compressed, and pg_column_size() then is the compressed size:
-- 250 MB can look like 1 MB. Only for what is published from now on: claims refuse older messages that are too large.
alter domain postrider.payload drop constraint payload_within_1048576_bytes;
alter domain postrider.payload add constraint payload_within_1048576_bytes
    check (octet_length(value::text) <= 1048576) not valid;
alter domain postrider.headers drop constraint headers_within_65536_bytes;
alter domain postrider.headers add constraint headers_within_65536_bytes
    check (octet_length(value::text) <= 65536) not valid;
alter domain postrider.metadata drop constraint metadata_within_65536_bytes;
alter domain postrider.metadata add constraint metadata_within_65536_bytes
    check (octet_length(value::text) <= 65536) not valid;

-- Called for a channel that this connection has not published to lately, also before it knows its cluster. A transaction holds a lock of the server's lock table for
-- every channel it publishes to, so it may have a thousand. Channels may take turns: the locks are counted, now and then.
create function postrider.enter_channel(p_channel text) returns boolean
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
    as $$
declare
    v_entered int := coalesce(nullif(current_setting('postrider.entered', true), ''), '0')::int + 1;  -- in this transaction
begin
    if current_setting('postrider.cluster', true) is distinct from 'known' then
        perform postrider.enter_cluster();
    end if;
    if v_entered % 250 = 0 and (select count(*) >= 999 from pg_locks
                                where locktype = 'advisory' and pid = pg_backend_pid() and classid = 1886351201) then
        raise exception using errcode = 'PR002', message = 'one transaction cannot publish to more than 1000 channels',
            hint = 'Commit more often, or publish to fewer channels and tell messages apart by event_type or target.';
    end if;
    perform set_config('postrider.entered', v_entered::text, true),
            set_config('postrider.channels', left(p_channel || ',' || coalesce(current_setting('postrider.channels', true), ''), 2000),
                       false);
    return true;
end
$$;
-- One constraint for both: each is compiled for every statement that publishes.
alter domain postrider.doorbell drop constraint cluster_is_known;
alter domain postrider.doorbell add constraint cluster_is_known_and_channels_are_few check (
    strpos(current_setting('postrider.channels', true), value || ',') > 0 or postrider.enter_channel(value)) not valid;

-- Audit entries are kept for that long at least, whatever the policy says. What a policy keeps for less so far stays allowed.
insert into postrider.setting (name, value, meaning)
select 'audit_floor', least(active_ttl + grace, interval '365 days')::text,
       'how long audit entries are kept at least; only members of postrider_owner can change it'
from postrider.retention_policy where entity = 'audit';

-- The proposer of a replay is its database user, not a name of the caller's choice.
alter table postrider.replay add column proposed_by text;
update postrider.replay r set proposed_by = a.role
from postrider.audit a
where a.action = 'replay_propose' and a.after ->> 'replay' = r.id::text and r.phase = 'proposed';
