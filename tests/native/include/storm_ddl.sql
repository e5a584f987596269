-- Changes that take strong locks for a moment.
vacuum full postrider.lease;
create index storm_idx on postrider.lease (claimed_at);
create function promise.watch() returns trigger language plpgsql as 'begin return new; end';
create trigger storm before insert or update on postrider.lease for each row execute function promise.watch();
alter table postrider.lease add storm int;
vacuum full postrider.worker;
create table postrider.message_storm partition of postrider.message for values from ('3000-01-01') to ('3001-01-01');
reindex table postrider.consumer;
alter table postrider.consumer alter paused drop not null;
vacuum full postrider.handler;
alter table postrider.consumer alter paused set not null;
drop index postrider.storm_idx;
drop table postrider.message_storm;
drop trigger storm on postrider.lease;
alter table postrider.lease drop storm;
drop function promise.watch();
vacuum full postrider.consumer;
alter table postrider.delivery alter max_crashes type numeric;
alter table postrider.delivery alter max_crashes type int;
select postrider.native_protocol() as protocol \gset
create or replace function postrider.native_protocol() returns int language sql immutable parallel safe as 'select 0';
select format('create or replace function postrider.native_protocol() returns int language sql immutable parallel safe as %L', 'select ' || :protocol) \gexec
