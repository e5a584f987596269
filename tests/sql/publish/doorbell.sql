-- Promises of the doorbell:
--   one connection per channel is the keeper; doorbell_keep() is idempotent
--   while the doorbell is held every publication sends NOTIFY; otherwise none does
--   doorbell_watch() shows the transactions that published without NOTIFY
--   doorbell_state() distinguishes a keeper that serves from a connection that only holds its lock
--   wake 'never' means poll, 'always' announces every message by its id, and rings for work that is not a message
\ir ../include/promises.sql
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

-- while the doorbell is held every publication sends NOTIFY; otherwise none does
listen bell;
\o :heard
\! psql -XqAt -c "$PUBLISH" >/dev/null
select 1;
select postrider.doorbell_hold('bell') \g /dev/null
\! psql -XqAt -c "$PUBLISH" >/dev/null
select 2;
\! psql -XqAt -c "$PUBLISH" -c "$PUBLISH" >/dev/null
select 3;
select postrider.doorbell_release('bell');
\! psql -XqAt -c "$PUBLISH" >/dev/null
select 4;
\o
\set lines `grep -c '"bell"' "$HEARD"`
\set order `tr '\n' ' ' <"$HEARD" | grep -o '[0-9] \|Asynchronous' | tr -d ' \n'`
select promise.raises(format('do $q$ begin assert %L = ''4'', ''rang %s times''; end $q$',
                             :'lines', :'lines'), '00000');
select promise.raises(format('do $q$ begin assert %L = %L; end $q$', :'order', '1Asynchronous2Asynchronous3AsynchronousAsynchronous4'), '00000');

-- releasing the doorbell is harmless when it is not held, and one release is enough
do $$
begin
    perform postrider.doorbell_release('bell');
    assert promise.bell_locks(1886351201) = 0;
    perform postrider.doorbell_hold('bell'), postrider.doorbell_hold('bell');
    assert promise.bell_locks(1886351201) = 1;
    perform postrider.doorbell_release('bell');
    assert promise.bell_locks(1886351201) = 0;
end
$$;

-- doorbell_watch() shows the transactions that published without NOTIFY, prepared ones too
begin;
select postrider.publish('bell.x', p_channel => 'bell') \g /dev/null
prepare transaction 'ringer';
do $$
begin
    assert (select cardinality(silent) = 1 and wake = 'doorbell' and commit_waiters = 0 from postrider.doorbell_watch('bell'));
    assert (select cardinality(silent) from postrider.doorbell_watch('bell_two')) = 0;
end
$$;
commit prepared 'ringer';
do $$
begin
    assert (select cardinality(silent) from postrider.doorbell_watch('bell')) = 0;
    assert postrider.doorbell_relay('bell') >= (select max(seq) from postrider.message);
end
$$;

-- doorbell_state(): this connection is the keeper of 'bell' and does not serve until it holds the doorbell
\set unserved `psql -XqAt -c "select state, holder like '% (user %, application psql)' from postrider.doorbell_state('bell')"`
\set unkept `psql -XqAt -c "select state from postrider.doorbell_state('bell_free')"`
select postrider.doorbell_hold('bell') \g /dev/null
\set kept `psql -XqAt -c "select state, holder is null from postrider.doorbell_state('bell')"`
select promise.raises(format('do $q$ begin assert %L = ''unserved|t'', %1$L; assert %L = ''unkept'', %2$L; assert %L = ''kept|t'', %3$L; end $q$',
                             :'unserved', :'unkept', :'kept'), '00000');
select postrider.doorbell_release('bell');

-- wake 'never' means poll, 'always' announces every message by its id
do $$
begin
    perform postrider.set_wake('quiet', 'never');
    assert (select state from postrider.doorbell_state('quiet')) = 'poll' and (select wake from postrider.doorbell_watch('quiet')) = 'never';
    perform postrider.set_wake('loud', 'always');
    assert (select state from postrider.doorbell_state('loud')) = 'kept' and (select wake from postrider.doorbell_watch('loud')) = 'always';
    perform promise.raises($q$select postrider.set_wake('loud', 'sometimes')$q$, 'PR001');
    perform promise.raises($q$select postrider.set_wake('loud', null)$q$, 'PR001');
    perform promise.raises($q$select postrider.set_wake('', 'never')$q$, 'PR001');
    perform promise.raises($q$select postrider.set_wake(repeat('ü', 32), 'never')$q$, 'PR001');
    perform postrider.set_wake(repeat('x', 63), 'never');
    assert (select wake from postrider.channel where name = 'loud') = 'always';
    -- Changes of another channel do not affect this one.
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
