-- Copies of a database: what tells them from the original, and from each other.
set local role postrider_owner;

-- A random identity that a physical copy keeps. pg_dump does not copy the rows of a materialized view, it refreshes them: a dump
-- that is restored has another identity.
create materialized view postrider.incarnation as select gen_random_uuid() as id;

do $epoch$
begin
    if not has_function_privilege('pg_catalog.pg_control_system()', 'execute') then
        delete from postrider.epoch;
        insert into postrider.epoch (system_identifier, first_seq, rebased_at)
        select ('x' || left(replace(id::text, '-', ''), 16))::bit(64)::bigint, 0, clock_timestamp() from postrider.incarnation;
    end if;
end
$epoch$;

-- Called once per connection, before its first publication is complete. Remembers in the setting postrider.cluster that this
-- connection knows its cluster, and records the first message published in a cluster the log has moved to: rebase needs to
-- know where that began. Refuses a number that the log has already. What a dump brings back while it is being restored, before
-- there are keys, and what logical replication writes was not published here.
create or replace function postrider.enter_cluster() returns boolean
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
    as $$
declare
    v_home boolean;
    v_seq bigint;
begin
    if to_regclass('postrider.epoch_pkey') is null or current_setting('session_replication_role') = 'replica' then
        return true;
    end if;
    v_home := postrider.is_home();
    -- A log that never moved has nothing to compare with.
    if not v_home or exists (select from postrider.epoch where first_seq > 0) then
        begin
            v_seq := currval('postrider.message_seq_seq');  -- of the message this is about, or one before it
        exception when object_not_in_prerequisite_state then
            v_seq := case when not v_home then nextval('postrider.message_seq_seq') end;
        end;
        perform postrider.require_new_numbers(v_seq, v_home);
    end if;
    if not v_home then
        -- Another connection may hold lower numbers than the first that got here: the lowest counts.
        insert into postrider.epoch as e (system_identifier, first_seq)
        values (postrider.system_identifier(), v_seq)
        on conflict (system_identifier) do update
        set first_seq = case when e.rebased_at is null then least(e.first_seq, excluded.first_seq)
                             else excluded.first_seq end,
            started_at = clock_timestamp(), rebased_at = null
        where e.rebased_at is not null or e.first_seq > excluded.first_seq;
    end if;
    perform set_config('postrider.cluster', 'known', false);
    return true;
end
$$;

-- Which deployment this database belongs to, and where its server ran when that was said. One row.
create table postrider.deployment (
    name text collate "C" not null,
    recorded_at timestamptz not null default clock_timestamp(),
    port int,
    data_directory text,
    timeline text,
    constraint deployment_name_check check (name ~ '^[a-zA-Z0-9_][a-zA-Z0-9_.-]{0,62}$')
);
create unique index deployment_one_row_key on postrider.deployment ((true));
reset role;
insert into postrider.deployment (name, port, data_directory, timeline)
select 'default', current_setting('port')::int,
       case when pg_has_role('pg_read_all_settings', 'usage') then current_setting('data_directory', true) end,
       case when not pg_is_in_recovery() then left(pg_walfile_name(pg_current_wal_lsn()), 8) end;

-- Where open leases are: every open one of a consumer is listed here or has a higher id. Finished leases leave dead entries in
-- the index of open ones, which stay as long as an old transaction is open; a search begins behind the newest mark instead.
-- Only ever added to, and the newest is found by a backward scan.
set local role postrider_owner;
create table postrider.lease_mark (
    consumer_id int not null,
    upto bigint not null,
    open bigint[] not null,
    primary key (consumer_id, upto)
);
reset role;
