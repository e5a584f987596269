-- Promises about chains of an ordering key, for workers that declare that they keep the order within a lease:
--   a lease has up to p_chain messages of a key, next to each other and in order; without the declaration it has one
--   a key is handed out to one worker at a time, whether or not each declares it
--   when a message of a chain is not delivered, those behind it that are given back are followers again, uncharged and in order
--   a dead letter in the middle holds the rest or is skipped, as the consumer says
--   of a lost worker's chain the first message becomes a suspect, and the others are handed out one by one
--   the first message of a key by number is first, also when another piece of the segment has a lower one
\ir ../include/promises.sql
\ir ../include/ordering.sql

-- chains(worker, chain, limit): reads the log, claims, and returns the names of the lease in its order.
create function promise.chains(p_worker uuid, p_chain int default 100, p_limit int default 100) returns text
    language plpgsql
    as $$
declare
    h postrider.handed_out;
begin
    perform postrider.exchange_packed(p_worker, 100);
    select e.* into h from postrider.exchange_waiting(p_worker, p_limit, p_chain => p_chain) e;
    return coalesce((select string_agg(m.payload ->> 'n', ' ' order by array_position(l.members, m.seq))
                     from postrider.lease l join postrider.message m on m.seq = any (l.members)
                     where l.worker_id = p_worker and l.id = h.lease_id and l.finished_at is null and l.members <> '{}'), '');
end
$$;

-- a chain of each key, in order; the bound of a chain and that of the claim; without the declaration one of a key
do $$
declare
    w uuid := promise.ordered('run');
    v uuid := promise.ordered('run');
begin
    perform promise.keyed('run', 'a1 b1 a2 c1 a3 b2');
    commit;
    assert promise.chains(w, 2) = 'a1 a2 b1 b2 c1';
    assert promise.followers('run') = 'a3', 'its key is taken: ' || promise.followers('run');
    commit;
    perform promise.keyed('run', 'b3 d1 d2 d3');
    commit;
    assert promise.chains(v, 1) = 'd1', 'a worker without the declaration gets one';
    assert promise.chains(w) = '', 'every key is taken';
    commit;
    assert promise.report(w, 'a1 a2 b1') = 'open';
    commit;
    assert promise.chains(v) = 'a3', 'b2 is not reported yet';
    commit;
    assert promise.report(w, null) = 'settled' and promise.report(v, null) = 'settled,settled';
    commit;
    assert promise.chains(w, 100, 2) = 'b3 d2', 'the limit of the claim cuts the run';
    assert promise.followers('run') = 'd3';
    perform promise.report(w, null);
    commit;
    assert promise.chains(w) = 'd3';
    perform promise.report(w, null);
    commit;
    assert not exists (select from postrider.delivery where channel = 'run') and promise.followers('run') = '';
    assert (select array_agg(distinct status) from postrider.outbox where channel = 'run') = '{delivered}';
end
$$;

-- a report and a claim in one call go on with the keys of the report
do $$
declare
    w uuid := promise.ordered('next');
    l postrider.lease;
    h postrider.handed_out;
begin
    perform promise.keyed('next', 'a1 a2 a3 a4 b1 b2 b3');
    commit;
    assert promise.chains(w, 2) = 'a1 a2 b1 b2';
    commit;
    select * into l from postrider.lease where worker_id = w and finished_at is null;
    select e.* into h from postrider.exchange_waiting(w, 10, l.id, l.token, p_chain => 2) e;
    assert h.settled = 'settled' and promise.followers('next') = '';
    assert (select cardinality(members) = 3 from postrider.lease where worker_id = w and id = h.lease_id);
    commit;
    perform promise.report(w, null);
end
$$;

-- a failure in the middle: its key is blocked, the rest is put back in order; other keys of the lease are not concerned
do $$
declare
    w uuid := promise.ordered('middle');
begin
    perform promise.keyed('middle', 'a1 a2 a3 a4 b1 b2');
    commit;
    assert promise.chains(w) = 'a1 a2 a3 a4 b1 b2';
    commit;
    assert promise.report(w, null, 'a2 transient, a3 interrupted, a4 interrupted') = 'settled';
    commit;
    assert promise.followers('middle') = 'a3 a4' and promise.chains(w) = '', promise.followers('middle');
    assert (select count(*) = 1 from postrider.delivery where channel = 'middle'), 'only a2 has one';
    commit;
    assert promise.due(w) = 'a2';
    assert promise.followers('middle') = 'a3! a4', 'the end of a2 starts the next in its transaction';
    commit;
    assert promise.chains(w) = 'a3 a4';
    perform promise.report(w, null);
    commit;
    assert (select count(*) = 6 from postrider.outbox where channel = 'middle' and status = 'delivered');
end
$$;

-- the rest is reported later than the failure, before or after its retry; or while the message before it still runs
do $$
declare
    w uuid := promise.ordered('later');
begin
    perform promise.keyed('later', 'a1 a2 a3 b1 b2 b3 c1 c2 c3');
    commit;
    assert promise.chains(w) = 'a1 a2 a3 b1 b2 b3 c1 c2 c3';
    commit;
    assert promise.report(w, 'c1', 'a1 transient, b1 transient, c3 interrupted') = 'open';
    commit;
    assert promise.followers('later') = 'c3' and promise.chains(w) = '', 'c2 runs: ' || promise.followers('later');
    commit;
    assert promise.report(w, '', 'a2 interrupted, a3 interrupted') = 'open';
    commit;
    assert promise.due(w) = 'a1 b1', 'nothing else is due';
    assert promise.followers('later') = 'a2! a3 c3', 'b2 is still in the lease: ' || promise.followers('later');
    commit;
    assert promise.report(w, 'c2', 'b2 interrupted, b3 interrupted') = 'settled';
    commit;
    assert promise.followers('later') = 'a2! a3 b3 c3!', promise.followers('later');
    assert promise.chains(w) = 'a2 a3 c3' and promise.due(w) = 'b2';
    commit;
    assert promise.chains(w) = 'b3';
    perform promise.report(w, null);
    commit;
    assert promise.followers('later') = '' and (select count(*) = 9 from postrider.outbox where channel = 'later' and status = 'delivered');
end
$$;

-- a dead letter in the middle holds the rest, also when that is reported later; with skip the rest goes on
do $$
declare
    w uuid := promise.ordered('dead');
    s uuid := promise.ordered('skip', 'skip');
begin
    perform promise.keyed('dead', 'a1 a2 a3 a4');
    perform promise.keyed('skip', 'a1 a2 a3 a4');
    commit;
    assert promise.chains(w) = 'a1 a2 a3 a4' and promise.chains(s) = 'a1 a2 a3 a4';
    commit;
    assert promise.report(w, 'a1', 'a2 terminal, a4 interrupted') = 'open';
    assert promise.report(s, null, 'a2 terminal, a3 interrupted, a4 interrupted') = 'settled';
    commit;
    assert promise.report(w, null, 'a3 interrupted') = 'settled';
    commit;
    assert promise.followers('dead') = 'a3 a4' and promise.chains(w) = '' and promise.due(w) = '', promise.followers('dead');
    assert promise.chains(s) = 'a3 a4', promise.followers('skip');
    perform postrider.discard('{"channel": "dead"}', 'me', 'test');
    commit;
    assert promise.chains(w) = 'a3 a4';
    perform promise.report(w, null);
    perform promise.report(s, null);
end
$$;

-- a lost worker: the first message that it had not reported is a suspect; the others come one by one, and chains begin again behind them
do $$
declare
    w uuid := promise.ordered('lost');
    v uuid := promise.ordered('lost');
begin
    perform promise.keyed('lost', 'a1 a2 a3 a4 b1 b2');
    commit;
    assert promise.chains(w) = 'a1 a2 a3 a4 b1 b2';
    commit;
    assert promise.report(w, 'a1', 'b1 transient') = 'open';
    update postrider.worker set alive_until = clock_timestamp() - interval '1 minute' where id = w;
    commit;
    perform postrider.reap();
    commit;
    perform promise.keyed('lost', 'a5 a6');
    commit;
    assert promise.followers('lost') = 'a3 a4 b2' and promise.chains(v) = '', promise.followers('lost');
    assert (select array_agg(payload ->> 'n' || suspect order by id) from postrider.delivery where channel = 'lost') = '{b1false,a2true}';
    commit;
    assert promise.due(v) = 'a2 b1';
    commit;
    assert promise.chains(v) = 'a3 b2', 'one at a time';
    perform promise.report(v, null);
    commit;
    assert promise.chains(v) = 'a4';
    perform promise.report(v, null);
    commit;
    assert promise.chains(v) = 'a5 a6';
    perform promise.report(v, null);
    commit;
    assert (select count(*) = 8 from postrider.outbox where channel = 'lost' and status = 'delivered');
end
$$;

-- release and cancel: released messages are handed out again in order; a cancelled message leaves its chain
do $$
declare
    w uuid := promise.ordered('back');
begin
    perform promise.keyed('back', 'a1 a2 a3 a4');
    commit;
    assert promise.chains(w) = 'a1 a2 a3 a4';
    commit;
    perform postrider.cancel(jsonb_build_object('ids', (select jsonb_agg(m.id) from postrider.message m
        where m.channel = 'back' and m.payload ->> 'n' = 'a2')), 'me', 'test');
    commit;
    perform postrider.release(w, l.id, l.token) from postrider.lease l where l.worker_id = w and l.finished_at is null;
    commit;
    assert promise.followers('back') = 'a3 a4' and promise.chains(w) = '' and promise.due(w) = 'a1', promise.followers('back');
    commit;
    assert promise.chains(w) = 'a3 a4';
    perform promise.report(w, null);
end
$$;

-- a lower number in another piece of the segment is first; large messages are in chains; a worker without all handlers gets one of a key
do $$
declare
    w uuid := promise.ordered('pieces');
    v uuid := gen_random_uuid();
begin
    insert into postrider.message (seq, channel, event_type, source, payload, ordering_key) overriding system value
    select 900000000 - n, 'pieces', 'a', '', jsonb_build_object('n', 'a' || n), 'a' from generate_series(1, 3) n order by n desc;
    commit;
    perform postrider.exchange_packed(w, 1);
    assert promise.chains(w) = 'a3 a2 a1', promise.followers('pieces');
    perform promise.report(w, null);
    commit;
    perform promise.keyed('pieces', 'b1');
    perform postrider.publish('a', jsonb_build_object('n', 'b2', 'text', repeat('x', 9000)), p_channel => 'pieces', p_ordering_key => 'b');
    perform promise.keyed('pieces', 'b3 c1 c2');
    commit;
    assert promise.chains(w) = 'b1 b2 b3 c1 c2', 'pick() decides on each';
    perform promise.report(w, null);
    perform postrider.register_worker(v, 'reader', '[{"name": "test.other", "event_types": ["never"]}]', 'pieces', p_ordering => 'hold');
    perform promise.keyed('pieces', 'd1 d2');
    commit;
    assert promise.chains(w) = 'd1', 'the worker does not have all handlers';
end
$$;
