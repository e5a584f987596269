-- Promise: objects planted in a schema of another role's search_path are never executed by Postrider. An operator or function
-- whose arguments fit better than PostgreSQL's own comes first, wherever it is; so functions that run with the caller's
-- search_path qualify every name, or their types allow no other choice.
\ir ../include/promises.sql

-- A trap for every operator that PostgreSQL does not have for exactly these two types.
create function promise.set_traps() returns bigint
    language plpgsql
    as $$
declare
    t record;
    v_count bigint := 0;
begin
    for t in
        with type as (
            select unnest('{int2,int4,int8,float8,numeric,text,name,json,jsonb,timestamptz,interval,boolean,xid8,uuid,bytea,text[]}'
                          ::regtype[]) as oid
        )
        select o.name, l.oid::regtype::text as l, r.oid::regtype::text as r
        from unnest('{=,<>,<,<=,>,>=,+,-,*,/,||,->,->>,#>,#>>,@>,<@,?,~,!~,~~,&&}'::text[]) as o(name)
        cross join type l cross join type r
        where not exists (select from pg_operator p
                          where p.oprname = o.name and p.oprleft = l.oid and p.oprright = r.oid
                            and p.oprnamespace = 'pg_catalog'::regnamespace)
    loop
        if to_regprocedure(format('public.trap(%s, %s)', t.l, t.r)) is null then
            execute format(
                'create function public.trap(%1$s, %2$s) returns text language plpgsql as $t$
                 begin raise exception ''a trap was run: %1$s %2$s''; end $t$', t.l, t.r);
        end if;
        execute format('create operator public.%s (leftarg = %s, rightarg = %s, function = public.trap)', t.name, t.l, t.r);
        v_count := v_count + 1;
    end loop;
    return v_count;
end
$$;

do $$ begin perform promise.worker('trapped'); perform promise.publish('trapped', 3); end $$;
select promise.set_traps() > 4000 as set \gset
\if :set
\else
do $$ begin raise exception 'there are hardly any traps'; end $$;
\endif

-- the traps are real
select promise.raises($q$select 1.5::float8 * 2::int$q$, 'P0001');
select promise.raises($q$select '{}'::jsonb -> '1'$q$, 'P0001');

-- publishing, in every way
insert into postrider.message (channel, event_type, payload, headers) values ('trapped', 'a.b', '{"n": 4}', '{}');
insert into postrider.outbox (channel, event_type, payload) values ('trapped', 'a.b', '{"n": 5}');
select postrider.publish('a.b', '{"n": 6}', p_channel => 'trapped') \g /dev/null
copy postrider.message (channel, event_type) from stdin (delimiter ',');
trapped,a.b
\.

-- functions for direct use
select count(postrider.delay(jsonb_build_object('curve', c, 'base_ms', 5, 'multiplier', 3, 'jitter', j, 'delays_ms', '[1, 2]'::jsonb), 2, 0.5))
from unnest('{exponential,quadratic,linear,fixed,immediate,list}'::text[]) as c, unnest('{none,full,equal}'::text[]) as j \g /dev/null
select postrider.policy_number('5'), postrider.classify('transient', 'http:503', '{"terminal": ["http:4*"]}', true),
       postrider.fingerprint('timeout', 'order 7 failed'), postrider.matches('a.b', '{a.*}'), postrider.readable('{"a": 1}'),
       postrider.uuid_v7(), postrider.insertion_time(), postrider.retry_policy('{"max_age_ms": 5}') \g /dev/null

-- working, and looking at it
create temp table w as select worker as id from postrider.workers where channel = 'trapped';
create function pg_temp.die() returns void language plpgsql as $$
declare
    l postrider.lease;
begin
    perform postrider.claim((select id from w), 3);
    l := promise.newest_lease((select id from w));
    perform postrider.settle((select id from w), l.id, l.token, null, jsonb_build_array(
        jsonb_build_object('seq', l.members[1], 'outcome', 'transient', 'error', 'x'),
        jsonb_build_object('seq', l.members[2], 'outcome', 'terminal', 'error', 'x')));
end
$$;
select pg_temp.die() \g /dev/null
select count(*) from (select o.* from postrider.outbox o) o \g /dev/null
select count(*) from (select * from postrider.consumers) o \g /dev/null
select count(*) from (select * from postrider.handlers) o \g /dev/null
select count(*) from (select * from postrider.dead_letters) o \g /dev/null
select count(*) from (select * from postrider.dead_letter_groups) o \g /dev/null
select count(*) from (select * from postrider.workers) o \g /dev/null
select count(*) from (select * from postrider.v_open_outbox) o \g /dev/null
select count(*) from (select * from postrider.v_pulse) o \g /dev/null
select count(*) from (select * from postrider.v_pgmq) o \g /dev/null
