-- A handler calls a service that allows three requests at once, and no customer may keep the others waiting. Two workers share the
-- limit: here in SQL, usually `postrider work` or the C++ library.
\set ON_ERROR_STOP on

select gen_random_uuid() as one, gen_random_uuid() as two \gset
select postrider.register_worker(w::uuid, 'mail', '[{"name": "mail.send", "event_types": ["mail.*"]}]') is not null as registered
from (values (:'one'), (:'two')) as worker(w);
-- By an operator or the owner of the consumer, at any time.
select postrider.set_limit('mail', 'mail.send', '{"concurrency": 3, "key": "ordering_key", "per_key": 2}', 'ann', 'the relay allows three');

-- A large customer, and a small one that comes later.
select count(postrider.publish('mail.due', p_ordering_key => 'large')) from generate_series(1, 5);
select count(postrider.publish('mail.due', p_ordering_key => 'small'));

create temp table first as select * from postrider.claim(:'one', 2);
create temp table second as select * from postrider.claim(:'two', 10);
select 'one' as worker, ordering_key from first union all select 'two', ordering_key from second;
select definition, running, throttled from postrider.limits;

-- Runs that have ended make room.
select postrider.settle(:'one', lease_id, lease_token) from first group by lease_id, lease_token;
create temp table third as select * from postrider.claim(:'one', 10);

-- No worker needs a restart when the limit changes.
select postrider.remove_limit('mail', 'mail.send', 'ann', 'a larger relay');
create temp table rest as select * from postrider.claim(:'one', 10);

-- Fair shares without a limit of runs: the large customer pays for three turns where others have one. A preview says what the limit will do.
select result, binds from postrider.limit_preview('mail', 'mail.send', '{"key": "ordering_key", "weights": {"large": 3}}');
select postrider.set_limit('mail', 'mail.send', '{"key": "ordering_key", "weights": {"large": 3}}', 'ann', 'the large plan');
select count(postrider.publish('mail.due', p_ordering_key => k)) from unnest('{large,small}'::text[]) k, generate_series(1, 10);
create temp table fair as select * from postrider.claim(:'two', 8);

do $$
begin
    assert (select array_agg(ordering_key order by ordering_key) from first) = '{large,small}', 'they take turns';
    assert (select array_agg(ordering_key) from second) = '{large}', 'three in all';
    assert (select array_agg(ordering_key) from third) = '{large}', 'two of a key';
    assert (select count(*) from rest) = 2;
    assert (select array_agg(format('%s %s', f.ordering_key, f.n) order by f.ordering_key)
            from (select ordering_key, count(*) as n from fair group by 1) f) = '{large 6,small 2}', 'three to one';
    assert not exists (select from postrider.outbox where attempts > 1), 'waiting cost no attempt';
end
$$;
