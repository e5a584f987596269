-- Promises of exchange_native() about a schema that differs from the expected one:
--   a claim is made by exchange_packed() then, and native_trouble() names the difference
--   neither an unexpected type nor an added or missing column can crash the server
\ir ../sql/include/promises.sql
\ir include/helped.sql

-- differs(what, change, trouble, undo): one claim before the change, one after it, which is made in SQL, and one after the change is undone.
create procedure promise.differs(p_change text, p_trouble text, p_undo text, p_helps boolean default true)
    language plpgsql
    as $$
declare
    w uuid := promise.worker('differs');
    v_exchange regprocedure := 'postrider.exchange_packed(uuid, int, bigint, uuid, bigint[], jsonb, interval, boolean)';
    v_helped bigint;
begin
    perform promise.publish('differs', 6);
    commit;
    perform postrider.exchange_packed(w, 1);
    commit;
    assert postrider.native_trouble() is null, postrider.native_trouble();
    perform promise.helped(v_exchange);
    perform postrider.exchange_native(w, 1);
    assert promise.helped(v_exchange) = 0, 'before: ' || p_change;
    commit;
    execute p_change;
    commit;
    assert postrider.native_trouble() is not distinct from p_trouble, format('%s: %s', p_change, postrider.native_trouble());
    perform promise.helped(v_exchange);
    perform postrider.exchange_native(w, 1);
    v_helped := promise.helped(v_exchange);
    assert (v_helped > 0) = p_helps, format('%s: helped %s times', p_change, v_helped);
    assert cardinality((promise.newest_lease(w)).members) = 1, p_change;
    commit;
    execute p_undo;
    commit;
    perform promise.helped(v_exchange);
    perform postrider.exchange_native(w, 1);
    assert promise.helped(v_exchange) = 0, 'after: ' || p_undo;
    assert cardinality((promise.newest_lease(w)).members) = 1, p_undo;
    commit;
end
$$;

-- Views keep the types of their columns from being changed.
do $$
declare
    v record;
begin
    for v in select c.relname from pg_class c where c.relnamespace = 'postrider'::regnamespace and c.relkind = 'v' loop
        execute format('drop view if exists postrider.%I cascade', v.relname);
    end loop;
end
$$;
-- One claim of a thousand marks the open leases, which a view lists.
create or replace function postrider.mark_leases(p_consumer_id int) returns void language sql as '';

-- another protocol: a newer schema than the library
call promise.differs($$create or replace function postrider.native_protocol() returns int language sql as 'select 3'$$,
                     'postrider.native_protocol() is 3, the library knows 2',
                     $$create or replace function postrider.native_protocol() returns int language sql as 'select 2'$$);
call promise.differs($$create or replace function postrider.native_protocol() returns int language sql as 'select null::int'$$,
                     'postrider.native_protocol() is 0, the library knows 2',
                     $$create or replace function postrider.native_protocol() returns int language sql as 'select 2'$$);
call promise.differs('alter function postrider.native_protocol() rename to another_protocol',
                     'postrider.native_protocol() is 0, the library knows 2',
                     'alter function postrider.another_protocol() rename to native_protocol');

-- columns: another type, name or place, a null that is allowed
call promise.differs('alter table postrider.lease alter to_seq type numeric', 'lease.to_seq is numeric, not bigint',
                     'alter table postrider.lease alter to_seq type bigint');
-- Plans of pick() read this column out of a row, and do not notice that its type changes. A migration replaces the function.
call promise.differs('alter table postrider.message alter event_version type bigint; discard plans',
                     'message.event_version is bigint, not integer',
                     'alter table postrider.message alter event_version type int; discard plans');
call promise.differs('alter table postrider.worker alter login type varchar', 'worker.login is character varying, not text',
                     'alter table postrider.worker alter login type text');
call promise.differs('alter table postrider.consumer alter paused drop not null', 'consumer.paused may be null',
                     'alter table postrider.consumer alter paused set not null');
-- additional columns do not prevent native claims
call promise.differs('alter table postrider.lease add more int default 1', null, 'alter table postrider.lease drop more', false);
call promise.differs('alter table postrider.message add more text', null, 'alter table postrider.message drop more', false);
call promise.differs('alter type postrider.handed_out add attribute more int', null,
                     'alter type postrider.handed_out drop attribute more', false);
call promise.differs('alter table postrider.delivery alter max_crashes type numeric', null,
                     'alter table postrider.delivery alter max_crashes type int', false);

-- row level security, tables that inherit, an index that is missing or of another order
call promise.differs('alter table postrider.message enable row level security', 'message has row level security',
                     'alter table postrider.message disable row level security');
call promise.differs('create table promise.child () inherits (postrider.lease)', 'lease has tables that inherit from it',
                     'drop table promise.child; analyze postrider.lease');
call promise.differs('alter table postrider.worker drop constraint worker_pkey', 'worker has no usable index on its key',
                     'alter table postrider.worker add primary key (id)');
call promise.differs('alter table postrider.worker drop constraint worker_pkey; create index worker_idx on postrider.worker (id desc)',
                     'worker has no usable index on its key',
                     'drop index postrider.worker_idx; alter table postrider.worker add primary key (id)');

-- partitions: a default one, whose messages must not be lost; one of another kind
call promise.differs('create table promise.rest partition of postrider.message default', 'message has a default partition',
                     'drop table promise.rest');
call promise.differs(
    'drop table postrider.message_tail;
     create table promise.later partition of postrider.message for values from (''3000-01-01'') to (maxvalue) partition by list (channel)',
    'later is of the kind "p", not "r"',
    'drop table promise.later;
     create table postrider.message_tail partition of postrider.message for values from (''3000-01-01'') to (maxvalue)', false);

-- without any partition there is nothing to claim, and no error
do $$
declare
    w uuid := promise.worker('none');
    p record;
begin
    perform promise.publish('none', 2);
    commit;
    perform postrider.exchange_native(w, 1);
    commit;
    for p in select inhrelid::regclass as name from pg_inherits where inhparent = 'postrider.message'::regclass loop
        execute format('drop table %s', p.name);
    end loop;
    assert postrider.native_trouble() = 'message has no partitions', postrider.native_trouble();
    perform postrider.exchange_native(w, 1);
    rollback;
    perform postrider.exchange_native(w, 1);
    assert cardinality((promise.newest_lease(w)).members) = 1;
end
$$;

-- a column that has moved
do $$
declare
    w uuid := promise.worker('moved');
begin
    perform promise.publish('moved', 2);
    alter table postrider.worker drop login, add login text;
    commit;
    assert postrider.native_trouble() = 'worker has no column login at position 10', postrider.native_trouble();
    perform postrider.exchange_native(w, 1);
    assert cardinality((promise.newest_lease(w)).members) = 1;
end
$$;

-- a function that was declared for another library
create function promise.exchange(uuid, int) returns table (settled text, parked int)
    language c as 'postrider_native', 'exchange_native';
select promise.raises('select promise.exchange(null, null)', '42P13');

-- an exchange_packed() of another schema, whose rows have other types
alter function postrider.exchange_packed(uuid, int, bigint, uuid, bigint[], jsonb, interval, boolean) rename to exchange_before;
create function postrider.exchange_packed(uuid, int, bigint, uuid, bigint[], jsonb, interval)
    returns table (settled text, parked smallint, lease_id numeric, lease_token text, messages bytea)
    language sql as $$select null, 2::smallint, 3::numeric, '11111111-1111-1111-1111-111111111111', '\x0405'::bytea$$;
set postrider.native = off;
do $$
declare
    h record;
begin
    select * into h from postrider.exchange_native(gen_random_uuid(), 1);
    assert h = row(null::text, 2, 3::bigint, '11111111-1111-1111-1111-111111111111'::uuid, '\x0405'::bytea), h;
end
$$;
