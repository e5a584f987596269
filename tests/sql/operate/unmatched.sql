-- Promises of unmatched():
--   it lists targets that no consumer of the channel has, event types that no handler takes, and exact event types that no
--   message has, with the most similar name
--   it scans a limited number of the newest messages, and a viewer may call it
--   many types of messages, many handlers and long names take no longer than a few seconds
\ir ../include/promises.sql

create function promise.unmatched(p_channel text, p_reach int default 10000) returns text[]
    language sql
    as $$
    select coalesce(array_agg(concat_ws(' ', u.kind, u.name, u.consumer, u.handler, u.messages, u.closest) order by u.kind, u.name, u.consumer), '{}')
    from postrider.unmatched(p_reach) u where u.channel = p_channel
    $$;

-- nothing that matches is listed: exact types, prefixes, other channels, channels without messages
do $$
begin
    perform promise.worker('fine', '[{"name": "a.x", "event_types": ["order.paid", "user.*"]}]', 'billing');
    perform promise.worker('quiet', '[{"name": "a.x", "event_types": ["never.seen"]}]', 'billing');
    perform promise.worker('all');
    perform postrider.publish('order.paid', p_channel => 'fine'), postrider.publish('user.made', p_channel => 'fine', p_target => 'billing'),
            postrider.publish('whatever', p_channel => 'all'), postrider.publish('unread', p_channel => 'not.read');
    commit;
    assert not exists (select from postrider.unmatched()), (select array_agg(u) from postrider.unmatched() u);
end
$$;

-- a misspelt target, a misspelt type in a handler, and a type that no handler takes
do $$
begin
    perform promise.worker('wrong', '[{"name": "a.x", "event_types": ["order.payed", "user.*", "user.made"]}]', 'billing');
    perform promise.worker('wrong', '[{"name": "a.y", "event_types": ["stock.low"]}]', 'stock');
    perform postrider.publish('order.paid', p_channel => 'wrong'), postrider.publish('order.paid', p_channel => 'wrong'),
            postrider.publish('user.made', p_channel => 'wrong', p_target => 'biling'),
            postrider.publish('user.made', p_channel => 'wrong'),
            -- For a consumer whose handlers do not take it, though another's do.
            postrider.publish('stock.low', p_channel => 'wrong', p_target => 'billing');
    commit;
    assert promise.unmatched('wrong') = array[
        'target_without_consumer biling 1 billing',
        'type_without_handler order.paid 2 order.payed',
        'type_without_handler stock.low billing 1',
        'type_without_message order.payed billing a.x 0 order.paid',
        'type_without_message stock.low stock a.y 0'], promise.unmatched('wrong');
    assert (select last_published_at > clock_timestamp() - interval '1 minute' from postrider.unmatched() where name = 'biling');
end
$$;

-- only the newest messages count
do $$
begin
    perform postrider.publish('user.made', p_channel => 'wrong') from generate_series(1, 10);
    commit;
    assert promise.unmatched('wrong', 5) = array[
        'type_without_message order.payed billing a.x 0', 'type_without_message stock.low stock a.y 0'], promise.unmatched('wrong', 5);
    perform promise.raises('select postrider.unmatched(0)', 'PR001');
    perform promise.raises('select postrider.unmatched(100001)', 'PR001');
    perform promise.raises('select postrider.unmatched(null)', 'PR001');
end
$$;

-- a retired handler accepts no types
do $$
begin
    perform postrider.retire_handler('stock', 'a.y', 'wrong');
    assert not promise.unmatched('wrong') @> '{type_without_message stock.low stock a.y 0}';
end
$$;

-- a long log costs no more than a short one
do $$
declare
    v_line text;
    v_read int;
begin
    insert into postrider.message (channel, event_type) select 'wrong', 'user.made' from generate_series(1, 50000);
    commit;
    for v_line in execute 'explain (analyze, buffers, timing off) select * from postrider.unmatched(1000)' loop
        v_read := coalesce(v_read, substring(v_line from 'Buffers: shared hit=([0-9]+)')::int);
    end loop;
    assert v_read < 3000, v_read;
end
$$;

-- patterns_of() are the patterns that accept a type
do $$
declare
    t text;
    p text;
begin
    foreach t in array '{a,a.b,a.b.c,a.,.,.x,a..b,ab.c,*,a.*}'::text[] loop
        foreach p in array '{a,a.b,*,a.*,a.b.*,.*,a..*,..*,ab.*,a*}'::text[] loop
            assert postrider.matches(t, array[p]) = (p = any (postrider.patterns_of(t))), format('%s %s', t, p);
        end loop;
    end loop;
end
$$;

-- 2000 types of handlers, some of them prefixes, and 10000 types of messages, of which some match by a prefix
do $$
begin
    perform promise.worker('broad', (select jsonb_agg(jsonb_build_object('name', 'a.h' || n, 'event_types', array[
        'q' || n || '.a', 'q' || n || '.b', 'q' || n || '.c', 'r' || n || '.*', 's' || n || '.*'])) from generate_series(1, 400) n), 'broad');
    insert into postrider.message (channel, event_type, target)
    select 'broad', case when n % 100 = 0 then 'r' || n / 100 || '.x' else 't' || n end, case when n % 3 = 0 then 'broad' end
    from generate_series(1, 10000) n;
    commit;
end
$$;
set statement_timeout = '5s';
do $$
begin
    -- Other channels have a few of the thousand rows.
    assert (select bool_and(u.kind = 'type_without_handler') and count(*) between 900 and 1000 from postrider.unmatched() u
            where u.channel = 'broad'), (select array_agg(distinct u.kind) from postrider.unmatched() u where u.channel = 'broad');
    assert not exists (select from postrider.unmatched() where channel = 'broad' and name like 'r%');
end
$$;
reset statement_timeout;

-- a hundred long types, none of which a message has; the one of the largest number of messages is compared first
do $$
begin
    perform promise.worker('a_long', (select jsonb_agg(jsonb_build_object('name', 'a.h' || n, 'event_types', array[repeat('y', 115) || n]))
                                    from generate_series(100, 198) n), 'a_long');
    insert into postrider.message (channel, event_type) select 'a_long', repeat('x', 120) || n from generate_series(1, 900) n;
    insert into postrider.message (channel, event_type) select 'a_long', repeat('y', 63) from generate_series(1, 3);
    commit;
end
$$;
set statement_timeout = '10s';
do $$
begin
    assert (select bool_and(u.closest is not null) from postrider.unmatched() u where u.kind = 'type_without_handler' and u.name like 'y%');
end
$$;
reset statement_timeout;

-- types of many parts on many channels: those with the fewest messages are left out, the types of other channels are not
do $$
begin
    perform promise.worker('parts' || n, '[{"name": "a.x", "event_types": ["a.b"]}]') from generate_series(1, 40) n;
    insert into postrider.message (channel, event_type)
    select 'parts' || n, rtrim(repeat('a.', 124) || to_hex(i), '.') from generate_series(1, 40) n, generate_series(1, 2000) i;
    perform promise.worker('plain', '[{"name": "a.x", "event_types": ["order.*"]}]');
    insert into postrider.message (channel, event_type) select 'plain', 'oder.t' || i from generate_series(1, 50) i;
    commit;
end
$$;
set statement_timeout = '15s';
do $$
begin
    assert (select count(*) > 15 from postrider.unmatched() u where u.channel = 'plain' and u.kind = 'type_without_handler'),
        (select count(*) from postrider.unmatched() u where u.channel = 'plain');
end
$$;
reset statement_timeout;

set role postrider_viewer;
select count(*) > 0 as seen from postrider.unmatched() \gset
reset role;
\if :seen
\else
    do $$ begin raise exception 'a viewer sees nothing'; end $$;
\endif
