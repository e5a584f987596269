-- Promises of rebase() in a cluster that is younger than the one the log was copied from. Its transaction ids are lower: by
-- the old cursors everything new looks delivered, and by the new ones everything old looks as if it were still to come:
--   messages from before the copy are for the consumers of that time, later ones for the current consumers
--   no consumer gets messages that only others hold, or that are addressed to others
--   running deliveries are released uncharged, and no lease or position of the old cluster is left
--   later messages are for active handlers, and not for retired ones
--   a log that returns to a former cluster repeats nothing
\ir ../include/promises.sql

create function promise.ahead(p_xid xid8) returns xid8
    language sql
    as $$
    select case when p_xid = '18446744073709551615' then p_xid else (p_xid::text::bigint + 1000000000)::text::xid8 end
    $$;

create function promise.ahead(p_snapshot pg_snapshot) returns pg_snapshot
    language sql
    as $$
    select format('%s:%s:%s', promise.ahead(pg_snapshot_xmin(p_snapshot)), promise.ahead(pg_snapshot_xmax(p_snapshot)),
                  (select string_agg(promise.ahead(x)::text, ',' order by x)
                   from pg_snapshot_xip(p_snapshot) x))::pg_snapshot
    $$;

create function promise.ahead(p_at postrider.position) returns postrider.position
    language sql
    as $$
    select case when p_at is not null then row(
               promise.ahead((p_at).done), promise.ahead((p_at).open), promise.ahead((p_at).xid),
               (p_at).seq)::postrider.position end
    $$;

-- copy_from(cluster): as if everything so far had happened in another cluster, a thousand million transactions ahead.
create procedure promise.copy_from(p_cluster bigint)
    language plpgsql
    as $$
begin
    insert into postrider.epoch (system_identifier, first_seq, rebased_at)
    select p_cluster, max(m.seq), clock_timestamp() from postrider.message m;
    update postrider.message set xid = promise.ahead(xid) where xid <> '1';
    update postrider.handler set starts = promise.ahead(starts), ends = promise.ahead(ends);
    update postrider.lease
    set done_snapshot = promise.ahead(done_snapshot), open_snapshot = promise.ahead(open_snapshot),
        done_xid = promise.ahead(done_xid), open_xid = promise.ahead(open_xid),
        from_xid = promise.ahead(from_xid), to_xid = promise.ahead(to_xid);
    -- No worker is connected to a new copy.
    perform set_config('postrider.claims', '', false), set_config('postrider.cluster', '', false), set_config('postrider.channels', '', false);
    discard sequences;
    commit;
end
$$;

-- owed(consumer): the message, handler, status and attempts of each of its deliveries.
create function promise.owed(p_consumer text) returns text[]
    language sql
    as $$
    select array_agg(format('%s %s %s %s', d.payload ->> 'n', d.handler, d.status, d.attempts)
                     order by (d.payload ->> 'n')::int, d.handler)
    from postrider.delivery d join postrider.consumer c on c.id = d.consumer_id where c.name = p_consumer
    $$;

do $$
declare
    r uuid := promise.worker('old', '[{"name": "a.x", "event_types": ["n.*"]}, {"name": "a.gone", "event_types": ["n.*"]}]');
    o uuid := promise.worker('old', '[{"name": "b.x", "event_types": ["*"]}]', 'other');
begin
    delete from postrider.epoch;
    insert into postrider.epoch values (postrider.system_identifier(), 0, '2020-01-01', '2020-01-01');
    perform postrider.publish('n.a', '{"n": 1}', p_channel => 'old');
    commit;
    assert promise.numbers(r) = '{1}' and promise.numbers(o) = '{1}';
    perform postrider.settle(r, l.id, l.token) from promise.newest_lease(r) l;
    perform postrider.publish('n.a', '{"n": 2}', p_channel => 'old', p_priority => 1);
    commit;
    perform promise.park(r);
    commit;
    assert (select count(*) from postrider.claim_due(r)) = 2, 'a delivery of each handler runs when the copy is made';
    perform postrider.publish('n.a', '{"n": 3}', p_channel => 'old');
    commit;
    assert promise.numbers(r) = '{3}';
    commit;
    -- Too late for messages that are claimed already.
    perform postrider.retire_handler('reader', 'a.gone', 'old');
    perform promise.worker('old', '[{"name": "a.late", "event_types": ["n.*"]}]');
    perform postrider.publish('n.a', '{"n": 4}', p_channel => 'old', p_target => 'other');
    perform postrider.publish('z.z', '{"n": 5}', p_channel => 'old');
    perform postrider.publish('z.z', '{"n": 6}', p_channel => 'old', p_target => 'reader');
    perform postrider.publish('n.a', '{"n": 7}', p_channel => 'old');
    perform postrider.publish('n.a', '{"n": 99}', p_channel => 'unread');
    commit;
    call promise.copy_from(42);
end
$$;
do $$
declare
    v_made text[];
    w uuid;
begin
    perform postrider.publish('n.a', '{"n": 8}', p_channel => 'old');
    commit;
    select array_agg(b.consumer || ' ' || b.deliveries order by b.consumer) into v_made from postrider.rebase() b;
    assert v_made = '{other 7,reader 7}', v_made;
    assert promise.owed('reader') = array[
        '2 a.gone pending 0', '2 a.x pending 0', '3 a.gone pending 0', '3 a.x pending 0', '6  pending 0',
        '7 a.late pending 0', '7 a.x pending 0', '8 a.late pending 0', '8 a.x pending 0'], promise.owed('reader');
    assert promise.owed('other') = array[
        '1 b.x pending 0', '2 b.x pending 0', '3 b.x pending 0', '4 b.x pending 0', '5 b.x pending 0', '7 b.x pending 0',
        '8 b.x pending 0'], promise.owed('other');
    assert not exists (select from postrider.lease where finished_at is null);
    assert (select count(*) from postrider.lease where reaped_at is not null) = 2, 'what was in flight was not taken back';
    assert not exists (select from postrider.message m cross join postrider.consumer c
                       where not postrider.covers(postrider.cursor_of(c.id), m.xid, m.seq)), 'it would come once more';
    commit;
    w := promise.worker('old', '[{"name": "a.x", "event_types": ["n.*"]}, {"name": "a.late", "event_types": ["n.*"]}]');
    perform postrider.publish('n.a', '{"n": 9}', p_channel => 'old', p_priority => 1);
    perform postrider.publish('n.a', '{"n": 10}', p_channel => 'old');
    commit;
    perform promise.park(w);
    assert promise.numbers(w) = '{10}';
    assert (promise.owed('reader'))[10:] = array['9 a.late pending 0', '9 a.x pending 0'], promise.owed('reader');
    perform postrider.settle(w, l.id, l.token) from promise.newest_lease(w) l;
    commit;
end
$$;

-- a log that returns to a former cluster repeats nothing
do $$
declare
    v_before text[] := promise.owed('reader');
    v_made text[];
begin
    assert promise.drain(promise.worker('old', '[{"name": "b.x", "event_types": ["*"]}]', 'other')) = 2;
    commit;
    call promise.copy_from(43);
    select array_agg(b.consumer || ' ' || b.deliveries order by b.consumer) into v_made from postrider.rebase() b;
    assert v_made = '{other 0,reader 0}', v_made;
    assert promise.owed('reader') = v_before, promise.owed('reader');
    assert postrider.is_home();
    assert (select first_seq from postrider.epoch where system_identifier = postrider.system_identifier())
         > (select max(seq) from postrider.message);
end
$$;
