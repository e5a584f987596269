-- Promises about exchange_ordered(), which hands out messages of free ordering keys as it reads the log:
--   messages of free keys, and those without a key, need no row of their own, and are in one lease
--   a message is noted when its key has a message handed out, retried or held, a follower, or more than p_chain messages in the piece
--   in a segment longer than a claim, a message is handed out when no message that is not read yet has a lower number, and not before;
--   that is so for noted messages, too
--   messages that failed, were released or were held by a lost worker are treated as in any lease of an ordering key
--   messages that are large, and workers that do not have all handlers, are as with exchange_packed()
--   followers of a key in every claim do not starve the log, also when pick() has to check its next message
--   seek, cancel and remove_consumer leave nothing behind
\ir ../include/promises.sql
\ir ../include/ordering.sql

-- direct(worker, chain, limit): claims, and returns the names of the lease in its order.
create function promise.direct(p_worker uuid, p_chain int default 100, p_limit int default 1000) returns text
    language plpgsql
    as $$
declare
    h postrider.handed_out;
begin
    select e.* into h from postrider.exchange_ordered(p_worker, p_limit, p_chain => p_chain) e where e.parked is not null;
    return coalesce((select string_agg(m.payload ->> 'n', ' ' order by array_position(l.members, m.seq))
                     from postrider.lease l join postrider.message m on m.seq = any (l.members)
                     where l.worker_id = p_worker and l.id = h.lease_id), '');
end
$$;

-- numbered(channel, numbers, keys): publishes messages with these numbers in this order: in the log they are in that of their transactions.
create function promise.numbered(p_channel text, p_seqs bigint[], p_names text[]) returns void
    language sql
    as $$
    insert into postrider.message (seq, channel, event_type, source, payload, ordering_key) overriding system value
    select s, p_channel, 'a', '', jsonb_build_object('n', n), nullif(left(n, 1), '-') from unnest(p_seqs, p_names) as m(s, n)
    $$;

-- free keys and messages without one in one lease, without a row; the next of a key is noted while it is handed out
do $$
declare
    w uuid := promise.ordered('free');
    v uuid := promise.ordered('free');
begin
    perform promise.keyed('free', 'b1 a1 -1 a2 c1 a3');
    commit;
    assert promise.direct(w, 2) = 'a1 a2 b1 c1 -1', 'the bound of a chain';
    assert promise.followers('free') = 'a3';
    commit;
    perform promise.keyed('free', 'a4 d1 b2 -2');
    commit;
    assert promise.direct(v) = 'd1 -2', 'a and b are handed out';
    assert promise.followers('free') = 'a3 a4 b2';
    commit;
    assert promise.report(w) = 'settled' and promise.direct(v) = 'a3 a4 b2';
    commit;
    assert promise.report(v) = 'settled,settled' and promise.direct(v) = '' and promise.followers('free') = '';
    assert not exists (select from postrider.delivery where channel = 'free');
    assert (select array_agg(distinct status) from postrider.outbox where channel = 'free') = '{delivered}';
end
$$;

-- a report and a claim in one call go on with the keys of the report, and with the log
do $$
declare
    w uuid := promise.ordered('next');
    l postrider.lease;
    h postrider.handed_out;
begin
    perform promise.keyed('next', 'a1 a2 a3 b1');
    commit;
    assert promise.direct(w, 1) = 'a1 b1' and promise.followers('next') = 'a2 a3';
    perform promise.keyed('next', 'b2 c1');
    commit;
    select * into l from postrider.lease where worker_id = w and finished_at is null;
    select e.* into h from postrider.exchange_ordered(w, 10, l.id, l.token, p_chain => 5) e;
    assert h.settled = 'settled' and promise.followers('next') = '';
    assert (select cardinality(members) = 4 from postrider.lease where worker_id = w and id = h.lease_id), 'a2 a3, b2 and c1';
    commit;
    select e.* into h from postrider.exchange_ordered(w, 0, h.lease_id, h.lease_token) e;
    assert h.settled = 'settled' and h.lease_id is null;
end
$$;

-- failed and released messages, dead letters and messages of a dead worker keep the key
do $$
declare
    w uuid := promise.ordered('fails');
    v uuid := promise.ordered('fails');
begin
    perform promise.keyed('fails', 'a1 a2 a3 b1 b2 c1 c2');
    commit;
    assert promise.direct(w) = 'a1 a2 a3 b1 b2 c1 c2';
    commit;
    assert promise.report(w, null, 'a2 transient, a3 interrupted, b1 terminal, b2 interrupted') = 'settled';
    perform promise.keyed('fails', 'a4 b3 c3 d1 d2');
    commit;
    assert promise.direct(v) = 'c3 d1 d2' and promise.followers('fails') = 'a3 a4 b2 b3', promise.followers('fails');
    commit;
    assert promise.due(w) = 'a2' and promise.direct(w) = 'a3 a4';
    commit;
    update postrider.worker set alive_until = clock_timestamp() - interval '1 minute' where id = v;
    commit;
    perform postrider.reap();
    commit;
    assert (select string_agg(payload ->> 'n', ' ' order by seq) from postrider.delivery where channel = 'fails' and suspect) = 'c3 d1';
    perform promise.keyed('fails', 'd3');
    commit;
    assert promise.direct(w) = '' and promise.followers('fails') = 'b2 b3 d2 d3' and promise.due(w) = 'c3 d1';
    commit;
    assert promise.direct(w) = 'd2', 'alone: its worker was lost';
    perform promise.report(w);
    commit;
    assert promise.direct(w) = 'd3';
    perform postrider.discard('{"channel": "fails"}', 'me', 'test');
    perform promise.report(w);
    commit;
    assert promise.direct(w) = 'b2 b3' and promise.report(w) = 'settled';
end
$$;

-- a replay that waits for its key goes first
do $$
declare
    w uuid := promise.ordered('skip', 'skip');
begin
    perform promise.keyed('skip', 'a1 a2');
    commit;
    assert promise.direct(w) = 'a1 a2' and promise.report(w, null, 'a1 terminal, a2 interrupted') = 'settled';
    commit;
    assert promise.direct(w) = 'a2';
    perform postrider.outbox_replay((select message_id from postrider.delivery where channel = 'skip'), null, 'me');
    commit;
    perform promise.report(w, null, 'a2 transient');
    perform promise.keyed('skip', 'a3 b1');
    commit;
    assert promise.direct(w) = 'b1' and promise.followers('skip') = 'a3';
    commit;
    assert promise.due(w) = 'a2' and promise.due(w) = 'a1' and promise.direct(w) = 'a3';
end
$$;

-- drained(worker, limit): claims and settles until nothing is left, notes in which order messages were handed out, and returns how many the first lease had.
create table promise.seen (n bigint generated always as identity, name text, key text, seq bigint);
create procedure promise.drained(p_worker uuid, p_limit int, inout first int)
    language plpgsql
    as $$
declare
    v_idle int := 0;
    v_count int;
begin
    truncate promise.seen;
    first := null;
    while v_idle < 8 loop
        v_idle := case when promise.direct(p_worker, 100, p_limit) = '' then v_idle + 1 else 0 end;
        commit;
        insert into promise.seen (name, key, seq)
        select m.payload ->> 'n', m.ordering_key, m.seq
        from postrider.lease l cross join unnest(l.members) with ordinality as s(seq, n) join postrider.message m on m.seq = s.seq
        where l.worker_id = p_worker and l.finished_at is null
        order by l.id, s.n;
        get diagnostics v_count = row_count;
        first := coalesce(first, nullif(v_count, 0));
        perform promise.report(p_worker);
        commit;
    end loop;
end
$$;

-- A segment of three transactions in five pieces: the second one has a lower number than most of the first one, and the third one the lowest of all. Whatever
-- is handed out is in the order of its key. A message with a number below all that are left does not wait for the end of the segment.
do $$
declare
    w uuid;
    v_first int;
begin
    foreach v_first in array '{0,1}'::int[] loop
        w := promise.ordered('long' || v_first);
        commit;
        perform promise.numbered('long' || v_first, array_agg(900000000 + 10 * n), array_agg(chr(97 + n % 20) || n)) from generate_series(1, 599) n;
        commit;
        perform promise.numbered('long' || v_first, array_agg(900000000 + case n when 600 then 305 else 10 * n end), array_agg(chr(97 + n % 20) || n))
        from generate_series(600, 1199) n;
        commit;
        if v_first = 1 then
            perform promise.numbered('long1', array[900000005], array['a1200']);
            commit;
        end if;
        call promise.drained(w, 260, v_first);
        assert (select count(*) = count(distinct name) and count(*) >= 1199 from promise.seen), (select count(*) from promise.seen);
        assert not exists (select from promise.seen a join promise.seen b on a.key = b.key and a.n < b.n and a.seq > b.seq),
            'in the order of their numbers';
        if exists (select from promise.seen where name = 'a1200') then
            assert (select name = 'a1200' from promise.seen where key = 'a' order by n limit 1);
        else
            assert v_first = 30, format('the first %s are below 305', v_first);
        end if;
        assert not exists (select from postrider.follower) and not exists (select from postrider.lookahead);
        delete from postrider.message where channel like 'long%';
    end loop;
end
$$;

-- a claim for fewer than a piece has as many messages as it asks for, the first ones of their keys, and the others are noted
do $$
declare
    w uuid := promise.ordered('few');
    v_first int;
begin
    perform promise.keyed('few', 'b1 a1 b2 a2 c1 a3');
    commit;
    assert promise.direct(w, 100, 3) = 'a1 b1 b2' and promise.followers('few') = 'a2 a3 c1!';
    commit;
    assert promise.direct(w, 100, 3) = 'c1';
    perform promise.report(w);
    commit;
    perform promise.keyed('few', '-1 -2 d1');
    commit;
    assert promise.direct(w, 100, 1) = 'a2';
    perform promise.report(w);
    call promise.drained(w, 1, v_first);
    assert (select string_agg(name, ' ' order by name) from promise.seen) = '-1 -2 a3 d1';
end
$$;

-- large messages and those behind them become followers; cancelled ones, held handlers and missing handlers are left to exchange_packed()
do $$
declare
    w uuid := promise.ordered('special');
    v_first int;
    v uuid := gen_random_uuid();
begin
    perform promise.keyed('special', 'a1');
    perform postrider.publish('a', jsonb_build_object('n', 'a2', 'text', repeat('x', 9000)), p_channel => 'special', p_ordering_key => 'a');
    perform promise.keyed('special', 'a3 b1');
    commit;
    assert promise.direct(w) = 'a1 b1' and promise.followers('special') = 'a2 a3';
    perform promise.report(w);
    commit;
    assert promise.direct(w) = 'a2 a3';
    perform promise.report(w);
    perform postrider.publish('a', jsonb_build_object('n', '-1', 'text', repeat('x', 9000)), p_channel => 'special');
    perform promise.keyed('special', 'a4 b2 b3');
    commit;
    assert promise.direct(w) = '-1', 'pick() looks at it';
    perform postrider.cancel(jsonb_build_object('ids', (select jsonb_agg(m.id) from postrider.message m
        where m.channel = 'special' and m.payload ->> 'n' = 'b2')), 'me', 'test');
    perform promise.keyed('special', 'b4');
    commit;
    call promise.drained(w, 10, v_first);
    assert (select string_agg(name, ' ' order by n) from promise.seen where key = 'b') = 'b3 b4';
    perform postrider.register_worker(v, 'reader', '[{"name": "test.other", "event_types": ["never"]}]', 'special', p_ordering => 'hold');
    perform promise.keyed('special', 'c1 c2');
    commit;
    assert promise.direct(w) = '' and promise.followers('special') = 'c1! c2';
    commit;
    assert exists (select from postrider.exchange_waiting(w, 10, p_chain => 10) e where e.lease_id is not null), 'they are handed out there';
    assert promise.followers('special') = 'c2';
end
$$;

-- a key with a long queue, of which every claim has the next message, and a large message at the cursor: messages behind it come soon, also when two
-- consumers take turns in one session, as behind a pooler
do $$
declare
    w uuid[] := array[promise.ordered('queue'), promise.ordered('queue2')];
    h postrider.handed_out[];
    n postrider.handed_out;
    v_seen text[];
begin
    perform promise.keyed(c, string_agg('a' || g, ' ' order by g)) from generate_series(1, 30) g cross join unnest('{queue,queue2}'::text[]) c group by c;
    commit;
    for k in 1..2 loop
        select e.* into n from postrider.exchange_ordered(w[k], 10) e where e.parked is not null;
        h[k] := n;
    end loop;
    perform postrider.publish('a', jsonb_build_object('n', '-1', 'text', repeat('x', 9000)), p_channel => c), promise.keyed(c, 'b1')
    from unnest('{queue,queue2}'::text[]) c;
    commit;
    for i in 1..16 loop
        select e.* into n from postrider.exchange_ordered(w[1 + i % 2], 10, h[1 + i % 2].lease_id, h[1 + i % 2].lease_token) e
        where e.parked is not null;
        commit;
        h[1 + i % 2] := n;
        v_seen[1 + i % 2] := concat_ws(' ', v_seen[1 + i % 2], (
            select string_agg(m.payload ->> 'n', ' ') from postrider.lease l join postrider.message m on m.seq = any (l.members)
            where l.worker_id = w[1 + i % 2] and l.id = n.lease_id));
    end loop;
    assert (select bool_and(s ~ '-1' and s ~ 'b1' and s ~ 'a2 .*a3 .*a4') from unnest(v_seen) s), v_seen::text;
end
$$;

-- messages of other consumers are passed over, also when the time for that is up after each of them
create or replace function postrider.scan_time() returns interval language sql immutable parallel safe as $$ select interval '-1 second' $$;
do $$
declare
    w uuid := promise.ordered('others', 'hold', '[{"name": "test.all", "event_types": ["a"]}]');
    v_first int;
begin
    perform promise.keyed('others', 'a1 -1', 'b');
    perform promise.keyed('others', 'a2 -2 b2', 'a');
    perform promise.keyed('others', 'a3 -3 b3', 'b');
    perform promise.keyed('others', 'a4 -4', 'a');
    commit;
    call promise.drained(w, 100, v_first);
    assert (select string_agg(name, ' ' order by name) from promise.seen) = '-2 -4 a2 a4 b2', (select string_agg(name, ' ' order by name) from promise.seen);
end
$$;

-- a consumer that is not ordered is as with exchange_packed(); one that has read a part of a segment is removed with all of it
do $$
declare
    w uuid := promise.worker('plain');
    v uuid := promise.ordered('gone');
begin
    perform promise.keyed('plain', 'a1 b1 a2');
    commit;
    assert promise.direct(w) = 'a1 b1 a2';
    perform promise.numbered('gone', array_agg(950000000 + n), array_agg('a' || n)) from generate_series(1, 600) n;
    commit;
    perform promise.direct(v, 100, 260);
    assert exists (select from postrider.lookahead);
    perform postrider.unregister_worker(v);
    commit;
    perform postrider.remove_consumer('reader', 'me', 'test', 'gone', true);
    commit;
    assert not exists (select from postrider.lookahead);
end
$$;
