-- Promises about the plans while an old transaction keeps dead rows from being removed:
--   claims of the log touch as few buffers as ever
--   claims of messages that wait step over those taken since, which are narrow: they touch a few buffers for each page of them
\ir ../include/promises.sql
\ir ../include/buffers.sql
set client_min_messages = notice;

begin;
insert into postrider.message (channel, event_type) values ('elsewhere', 'old');
prepare transaction 'plans_pinned_old';

do $$ begin perform set_config('promise.worker', promise.worker('pinned')::text, false); end $$;
do $$
declare
    w uuid := current_setting('promise.worker')::uuid;
begin
    insert into postrider.message (channel, event_type, priority) select 'pinned', 'x', 1 + n % 3 from generate_series(1, 6000) n;
    commit;
    assert promise.drain(w) = 6000;
    commit;
    assert not exists (select from postrider.waiting);
    insert into postrider.message (channel, event_type, priority) select 'pinned', 'x', 1 + n % 3 from generate_series(1, 300) n;
end
$$;
vacuum analyze postrider.waiting;
do $$
declare
    w uuid := current_setting('promise.worker')::uuid;
    v_pages bigint := (pg_relation_size('postrider.waiting') + pg_relation_size('postrider.waiting_key')) / 8192;
    v_best bigint;
begin
    for i in 1..5 loop
        v_best := least(v_best, promise.buffers(format('select * from postrider.exchange_waiting(%L, 10)', w)));
        commit;
    end loop;
    raise notice 'claiming ten messages that wait, with % pages of taken ones: % buffers', v_pages, v_best;
    assert v_best <= 4 * v_pages + 100, v_best;
end
$$;

call promise.fill('pinned', 300, 20);
do $$
declare
    w uuid := current_setting('promise.worker')::uuid;
    v_best bigint;
    r record;
begin
    for i in 1..8 loop
        r := promise.exchange_buffers(w, 10, true);
        commit;
        v_best := case when r.got = 10 then least(v_best, r.buffers) else v_best end;
    end loop;
    raise notice 'claiming ten messages of the log beside them: % buffers', v_best;
    assert v_best <= promise.allowed(10, true), v_best;
end
$$;
rollback prepared 'plans_pinned_old';
