-- Detection of copied databases: the cluster of the log, and its deployment.
set local role postrider_owner;

-- One row per database cluster that has hosted this log. Transaction ids are valid only in the cluster that assigned them: rows
-- from first_seq on were published in that cluster.
create table postrider.epoch (
    system_identifier bigint primary key,
    first_seq bigint not null,
    started_at timestamptz not null default clock_timestamp(),
    rebased_at timestamptz
);

-- A random identity that a physical copy keeps. pg_dump does not copy the rows of a materialized view, it refreshes them: a dump
-- that is restored has another identity.
create materialized view postrider.incarnation as select gen_random_uuid() as id;

-- The deployment of this database, and the location of its server when the deployment was recorded. One row.
create table postrider.deployment (
    name text collate "C" not null,
    recorded_at timestamptz not null default clock_timestamp(),
    port int,
    data_directory text,
    timeline text,
    constraint deployment_name_check check (name ~ '^[a-zA-Z0-9_][a-zA-Z0-9_.-]{0,62}$')
);
create unique index deployment_one_row_key on postrider.deployment ((true));

-- In a publication, PostgreSQL rejects updates and deletes of a table without a replica identity. These tables have no primary
-- key. The log needs no replica identity: its rows are only inserted.
alter table postrider.function_set replica identity full;
alter table postrider.dead_letter_tally replica identity full;
alter table postrider.dead_letter_sum replica identity full;
alter table postrider.deployment replica identity full;

-- The cluster in which the log is created: the cursors contain its transaction ids. Some managed services do not permit
-- pg_control_system().
reset role;
do $epoch$
declare
    v_identifier bigint;
begin
    if has_function_privilege('pg_catalog.pg_control_system()', 'execute') then
        select system_identifier into v_identifier from pg_control_system();
    else
        select ('x' || left(replace(id::text, '-', ''), 16))::bit(64)::bigint into v_identifier from postrider.incarnation;
    end if;
    insert into postrider.epoch (system_identifier, first_seq, rebased_at) values (v_identifier, 0, clock_timestamp());
end
$epoch$;
insert into postrider.deployment (name, port, data_directory, timeline)
select 'default', current_setting('port')::int,
       case when pg_has_role('pg_read_all_settings', 'usage') then current_setting('data_directory', true) end,
       case when not pg_is_in_recovery() then left(pg_walfile_name(pg_current_wal_lsn()), 8) end;
