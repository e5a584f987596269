-- Promises about unique keys and cancelling as an attack:
--   a producer can hold a key for years, but an operator and the owner of the consumer can free it, and others cannot
--   an open transaction of a producer delays another producer of its key for a bounded time, and no worker
--   cancel answers for a job of another workspace as for one that does not exist
--   cancel writes no large filter into the audit
--   a worker role cancels no job of a consumer that belongs to another role
\ir ../../sql/include/promises.sql
create extension dblink;
grant all on all functions in schema promise to public;
drop role if exists test_jobs_pay, test_jobs_eve, test_jobs_boss, test_jobs_producer;
create role test_jobs_pay login in role postrider_worker;
create role test_jobs_eve login in role postrider_worker, postrider_producer;
create role test_jobs_boss login in role postrider_operator;
create role test_jobs_producer login in role postrider_producer;

-- text_of(sql): the error of a statement.
create function promise.text_of(p_sql text) returns text
    language plpgsql
    as $$
begin
    execute p_sql;
    return 'no error';
exception when others then
    return sqlstate || ' ' || sqlerrm;
end
$$;

set session authorization test_jobs_pay;
select set_config('promise.w', promise.worker('outbox_default', p_consumer => 'pay')::text, false) \g /dev/null

-- a key that is held for years
set session authorization test_jobs_eve;
select id as squatted from postrider.publish_unique('a', 'pay', 'invoice:7', 'period', p_period => '10 years') \gset
set session authorization test_jobs_pay;
do $$
declare
    m record;
begin
    select * into m from postrider.exchange_waiting(current_setting('promise.w')::uuid, 10);
    perform postrider.settle(current_setting('promise.w')::uuid, m.lease_id, m.lease_token);
end
$$;
set session authorization test_jobs_producer;
do $$ begin
    assert (postrider.publish_unique('a', 'pay', 'invoice:7')).duplicate;
end $$;
set session authorization test_jobs_eve;
select promise.raises($$select postrider.cancel('{"unique_key": "invoice:7"}', 'eve', 'mine')$$, 'PR010');
set session authorization test_jobs_boss;
do $$
declare
    r record;
begin
    assert not exists (select from postrider.cancel('{"unique_key": "invoice:7", "event_type": "a"}', 'boss', 'a filter of jobs')), 'it has ended';
    select * into strict r from postrider.cancel('{"unique_key": "invoice:7", "consumer": "pay"}', 'boss', 'squatted');
    assert (r.consumer, r.handler, r.was) = ('pay', 'test.all', 'held'), r;
    assert (select count(*) = 1 from postrider.audits where action = 'cancel' and after = '{"jobs": 0, "keys": 1}');
end
$$;
set session authorization test_jobs_eve;
select postrider.publish_unique('a', 'pay', 'invoice:8', 'period', p_period => '10 years') \g /dev/null
set session authorization test_jobs_producer;
do $$ begin
    assert not (postrider.publish_unique('a', 'pay', 'invoice:7')).duplicate;
end $$;
set session authorization test_jobs_pay;
do $$ begin
    assert (select array_agg(c.was) = '{pending}' from postrider.cancel('{"unique_key": "invoice:8"}', 'pay', 'not wanted') c);
end $$;
reset session authorization;
do $$ begin
    assert not exists (select from postrider.unique_job where key = 'invoice:8'), 'the owner of the consumer frees it, too';
end $$;

-- an open transaction
select dblink_connect('eve', format('host=%s port=%s user=%s dbname=%s', split_part(current_setting('unix_socket_directories'), ',', 1),
                                    current_setting('port'), session_user, current_database())) \g /dev/null
select dblink_exec('eve', 'set session authorization test_jobs_eve; begin') \g /dev/null
select * from dblink('eve', $$select 1 from postrider.publish_unique('a', 'pay', 'open')$$) as t(n int) \g /dev/null
update postrider.setting set value = '500 ms' where name = 'unique_wait';
set session authorization test_jobs_producer;
do $$
declare
    v_began timestamptz := clock_timestamp();
begin
    perform promise.raises($q$select postrider.publish_unique('a', 'pay', 'open')$q$, '55P03');
    assert clock_timestamp() - v_began between interval '0.4 s' and interval '5 s';
    assert not (postrider.publish_unique('a', 'pay', 'another')).duplicate;
end
$$;
set session authorization test_jobs_pay;
do $$ begin
    set local lock_timeout = '1s';
    perform from postrider.exchange_waiting(current_setting('promise.w')::uuid, 10);
end $$;
reset session authorization;
select dblink_disconnect('eve') \g /dev/null

-- workspaces
select postrider.publish('a', p_target => 'pay', p_workspace_id => '00000000-0000-0000-0000-00000000000a') as theirs \gset
set session authorization test_jobs_boss;
select format($$select postrider.cancel('{"ids": ["%s"], "workspace_id": "00000000-0000-0000-0000-00000000000b"}', 'boss', 'x')$$,
              :'theirs') as foreign, :'theirs' as id \gset
select promise.text_of(:'foreign') = 'PR014 cancel: there is no message ' || :'id' as same \gset
\if :same
\else
    select promise.text_of(:'foreign');
    do $$ begin raise exception 'a job of another workspace is not answered as one that does not exist'; end $$;
\endif

-- filters that are too large
select promise.raises(format('select postrider.cancel(%L, ''x'', ''y'')', f), 'PR002')
from (select jsonb_build_object(k, repeat('x', 256)) from unnest('{unique_key,consumer}'::text[]) k
      union all select jsonb_build_object('consumer', 'pay', k, repeat('x', 256)) from unnest('{channel,handler,event_type}'::text[]) k
      union all select jsonb_build_object('ids', jsonb_agg(gen_random_uuid())) from generate_series(1, 1001)) as t(f);

-- jobs of others
set session authorization test_jobs_eve;
select promise.raises(format('select postrider.cancel(%L, ''eve'', ''x'')', f), 'PR010')
from (values (jsonb_build_object('consumer', 'pay')), (jsonb_build_object('ids', jsonb_build_array(:'theirs')))) as t(f);
select promise.raises($$select postrider.cancel('{"consumer": "pay"}', null, null, p_dry_run => true)$$, 'PR010');
select promise.raises($$select postrider.limit_preview('pay', 'test.all', '{"concurrency": 1}')$$, 'PR010');
reset session authorization;
drop role test_jobs_eve, test_jobs_boss, test_jobs_producer;
