-- Promises of the doorbell:
--   one connection per channel is the keeper; asking again is harmless
--   while the keeper sleeps every publication rings; while it is awake none does
--   it cannot fall asleep while a publication that did not ring is about to commit
--   wake 'never' means poll, 'always' announces every message by its id, and rings for what is no message
\ir include/promises.sql
\setenv PGDATABASE :DBNAME
\set heard `mktemp`
\setenv HEARD :heard
-- psql prints notifications into the output file after the next statement.
\setenv PUBLISH 'select postrider.publish(\'bell.x\', p_channel => \'bell\')'

create function promise.bell_locks(p_class int) returns bigint
    language sql
    as $$
    select count(*) from pg_locks
    where locktype = 'advisory' and classid = p_class::oid and database = (select oid from pg_database where datname = current_database())
      and granted and mode = 'ExclusiveLock'
    $$;

-- one connection per channel is the keeper
do $$
begin
    assert postrider.doorbell_keep('bell') and postrider.doorbell_keep('bell'), 'the keeper stays the keeper';
    assert postrider.doorbell_keep('bell_two'), 'every channel has its own';
    assert promise.bell_locks(1886351203) = 2;
end
$$;
\set other `psql -XqAt -c "select postrider.doorbell_keep('bell'), postrider.doorbell_keep('bell_free')"`
select promise.raises(format('do $q$ begin assert %L = %L; end $q$', :'other', 'f|t'), '00000');

-- while the keeper is awake no publication rings; while it sleeps every one does
listen bell;
\o :heard
\! psql -XqAt -c "$PUBLISH" >/dev/null
select 1;
select postrider.doorbell_sleep('bell') = 'asleep' as asleep \gset
\! psql -XqAt -c "$PUBLISH" >/dev/null
select 2;
\! psql -XqAt -c "$PUBLISH" -c "$PUBLISH" >/dev/null
select 3;
select postrider.doorbell_wake('bell');
\! psql -XqAt -c "$PUBLISH" >/dev/null
select 4;
\o
\set lines `grep -c '"bell"' "$HEARD"`
\set order `tr '\n' ' ' <"$HEARD" | grep -o '[0-9] \|Asynchronous' | tr -d ' \n'`
select promise.raises(format('do $q$ begin assert %L = ''t'', ''not asleep''; assert %L = ''3'', ''rang %s times''; end $q$',
                             :'asleep', :'lines', :'lines'), '00000');
select promise.raises(format('do $q$ begin assert %L = %L; end $q$', :'order', '12Asynchronous3AsynchronousAsynchronous4'), '00000');

-- waking is harmless when awake, and once is enough
do $$
begin
    perform postrider.doorbell_wake('bell');
    assert promise.bell_locks(1886351201) = 0;
    assert postrider.doorbell_sleep('bell') = 'asleep';
    assert promise.bell_locks(1886351201) = 1;
    perform postrider.doorbell_wake('bell');
    assert promise.bell_locks(1886351201) = 0;
end
$$;

-- busy while a publication that did not ring is about to commit
begin;
select postrider.publish('bell.x', p_channel => 'bell') \g /dev/null
prepare transaction 'ringer';
do $$
begin
    assert postrider.doorbell_sleep('bell') = 'busy';
    assert postrider.doorbell_sleep('bell_two') = 'asleep', 'another channel may sleep';
    perform postrider.doorbell_wake('bell_two');
end
$$;
commit prepared 'ringer';
do $$
begin
    assert postrider.doorbell_sleep('bell') = 'asleep';
    perform postrider.doorbell_wake('bell');
    assert postrider.doorbell_sleep('never_heard_of') = 'asleep';
    perform postrider.doorbell_wake('never_heard_of');
end
$$;

-- wake 'never' means poll, 'always' announces every message by its id
do $$
begin
    perform postrider.set_wake('quiet', 'never');
    assert postrider.doorbell_sleep('quiet') = 'poll';
    perform postrider.set_wake('loud', 'always');
    assert postrider.doorbell_sleep('loud') = 'asleep' and promise.bell_locks(1886351201) = 0;
    perform promise.raises($q$select postrider.set_wake('loud', 'sometimes')$q$, 'PR001');
    perform promise.raises($q$select postrider.set_wake('loud', null)$q$, 'PR001');
    perform promise.raises($q$select postrider.set_wake('', 'never')$q$, 'PR001');
    perform promise.raises($q$select postrider.set_wake(repeat('ü', 32), 'never')$q$, 'PR001');
    perform postrider.set_wake(repeat('x', 63), 'never');
    assert (select wake from postrider.channel where name = 'loud') = 'always';
    -- What another channel is told to do, and no longer to do, does not silence this one.
    perform postrider.set_wake('louder', 'always'), postrider.set_wake('louder', 'doorbell');
end
$$;
listen loud;
listen quiet;
\o :heard
select postrider.publish('a', p_id => '0190163d-8694-739b-aea5-966c26f8ad94', p_channel => 'loud');
set role postrider_producer;
insert into postrider.message (event_type, id, channel) values ('a', '0190163d-8694-739b-aea5-966c26f8ad95', 'loud');
reset role;
select postrider.publish('a', p_channel => 'quiet');
set role postrider_worker;
select postrider.ring('loud');
select postrider.ring('quiet');
reset role;
select postrider.set_wake('loud', 'doorbell');
select postrider.publish('a', p_channel => 'loud');
select 1;
\o
\set announced `grep -o '"loud" with payload "[^"]*' "$HEARD" | grep -o '.\{4\}$' | tr '\n' ' '`
\set rung `grep -c '"loud" received' "$HEARD"`
\set quiet `grep -c quiet "$HEARD"`
select promise.raises(format('do $q$ begin assert %L = %L, %L; assert %L = ''0''; assert %L = ''1'', ''not rung''; end $q$',
                             :'announced', 'ad94 ad95 ', :'announced', :'quiet', :'rung'), '00000');
do $$
begin
    assert not exists (select from pg_trigger where tgname = 'outbox_notify'), 'no channel needs it, so it is gone';
end
$$;
\! rm -f "$HEARD"
