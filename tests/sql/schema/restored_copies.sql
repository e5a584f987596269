-- Promises about copies of a database (restored, replicated, adopted):
--   a cursor or a message ahead of the transaction counter, as in a dump restored into an older copy of its cluster, is
--     refused (PR006) until rebase() has run; then no message is lost, and messages published before the rebase are owed
--   where pg_control_system() is not permitted the log has another identity, which a restored dump does not keep
--   an epoch of another cluster that came by logical replication is noticed
--   numbers that repeat because sequences were left behind are refused, and rebase() continues them
--   a worker that expects another deployment is refused (PR019); adopt() changes the deployment, and can drop the messages that the
--     original delivers, followers among them; a copy fires no schedule until it is resumed
\ir ../include/promises.sql
\ir ../include/ordering.sql

create function promise.forget_connection() returns void
    language sql
    as $$ select set_config(s, '', false) from unnest('{postrider.claims,postrider.cluster,postrider.channels,postrider.worker}'::text[]) s $$;

-- set_back(xids): as if the transaction counter had been this far ahead when everything in the log was written.
create procedure promise.set_back(p_xids bigint, p_cursors boolean)
    language plpgsql
    as $$
begin
    update postrider.message set xid = (xid::text::bigint + p_xids)::text::xid8 where xid::text::bigint > 1;
    if p_cursors then
        update postrider.lease
        set done_snapshot = format('%s:%1$s:', pg_snapshot_xmax(done_snapshot)::text::bigint + p_xids)::pg_snapshot,
            open_snapshot = format('%s:%1$s:', pg_snapshot_xmax(open_snapshot)::text::bigint + p_xids)::pg_snapshot,
            to_xid = (to_xid::text::bigint + p_xids)::text::xid8;
    end if;
    perform promise.forget_connection();
    commit;
end
$$;

-- cursors ahead of the counter
do $$
declare
    w uuid := promise.worker('back');
    v_made int;
begin
    perform promise.publish('back', 2);
    commit;
    assert promise.numbers(w) = '{1,2}';
    perform postrider.settle(w, l.id, l.token) from promise.newest_lease(w) l;
    perform promise.publish('back', 3);
    commit;
    call promise.set_back(1000000, true);
    assert not postrider.is_home();
    perform promise.raises(format('select * from postrider.claim(%L)', w), 'PR006');
    perform promise.raises(format('select * from postrider.claim_due(%L)', w), 'PR006');
    perform postrider.publish('meanwhile', '{"n": 7}', p_channel => 'back');
    commit;
    perform promise.forget_connection();
    select sum(r.deliveries) into v_made from postrider.rebase() r;
    commit;
    assert v_made = 4, v_made;
    assert postrider.is_home() and not postrider.log_is_ahead();
    w := promise.worker('back');
    perform promise.publish('back', 1);
    commit;
    assert promise.numbers(w) = '{1}', 'what is published after a rebase is claimed';
    assert (select array_agg(d.payload ->> 'n' order by d.payload ->> 'n') from postrider.claim_due(w, 10) d) = '{1,2,3,7}';
    commit;
end
$$;

-- messages ahead of the counter, and the cursors are not
do $$
declare
    w uuid := promise.worker('ahead');
    v_made int;
begin
    perform promise.publish('ahead', 3);
    commit;
    call promise.set_back(1000000, false);
    assert postrider.is_home() and postrider.log_is_ahead();
    perform promise.raises(format('select * from postrider.claim(%L)', w), 'PR006');
    select sum(r.deliveries) into v_made from postrider.rebase() r where r.channel = 'ahead';
    commit;
    assert v_made = 3, v_made;
    perform promise.forget_connection();
    assert promise.numbers(promise.worker('ahead')) = '{}';
    commit;
end
$$;

-- an own message that is not committed yet is not ahead
begin;
select postrider.publish('own', p_channel => 'ahead') \g /dev/null
select promise.forget_connection() \g /dev/null
do $$ begin assert not postrider.log_is_ahead(); end $$;
rollback;

-- another epoch that begins where this one does: both were installed, and one was replicated into the other
do $$
declare
    v_here bigint := postrider.system_identifier();
begin
    insert into postrider.epoch (system_identifier, first_seq, started_at, rebased_at)
    select 43, first_seq, '2020-01-01', '2020-01-01' from postrider.epoch where system_identifier = v_here;
    perform promise.forget_connection();
    assert not postrider.is_home();
    commit;
    perform postrider.rebase();
    commit;
    assert postrider.is_home();
    delete from postrider.epoch where system_identifier = 43;
    commit;
end
$$;

-- sequences that were left behind
do $$
declare
    w uuid := promise.worker('numbers');
    v_last bigint;
begin
    perform promise.publish('numbers', 2);
    commit;
    select max(seq) into v_last from postrider.message;
    insert into postrider.epoch (system_identifier, first_seq, rebased_at) values (44, v_last, clock_timestamp() + interval '1 hour');
    perform setval(pg_get_serial_sequence('postrider.message', 'seq'), 1), setval(pg_get_serial_sequence('postrider.lease', 'id'), 1),
            setval(pg_get_serial_sequence('postrider.delivery', 'id'), 1);
    perform promise.forget_connection();
    commit;
    perform promise.raises('select postrider.publish(''again'', p_channel => ''numbers'')', 'PR006');
    perform promise.raises('insert into postrider.message (event_type, channel) values (''again'', ''numbers'')', 'PR006');
    perform promise.forget_connection();
    perform postrider.rebase();
    commit;
    perform promise.forget_connection();
    commit;
    perform postrider.publish('next', '{"n": 3}', p_channel => 'numbers');
    assert (select min(seq) from postrider.message where event_type = 'next') > v_last,
        format('%s after %s', (select min(seq) from postrider.message where event_type = 'next'), v_last);
    commit;
    w := promise.worker('numbers');
    assert (select count(*) from postrider.claim_due(w, 10)) = 2, 'what was owed before';
    assert promise.numbers(w) = '{3}';
    commit;
end
$$;

-- a connection that was refused, and drew numbers before the rebase
do $$
begin
    perform setval('postrider.message_seq_seq', 1);
    discard sequences;
    perform nextval('postrider.message_seq_seq'), promise.forget_connection();
    commit;
    perform promise.raises('insert into postrider.message (event_type, channel) values (''again'', ''numbers'')', 'PR006');
    perform postrider.advance_sequences();
    perform postrider.publish('next', '{"n": 4}', p_channel => 'numbers');
    commit;
end
$$;

-- without pg_control_system()
do $$
declare
    v_before bigint := postrider.system_identifier();
    v_identity bigint;
begin
    revoke execute on function pg_catalog.pg_control_system() from public;
    v_identity := postrider.system_identifier();
    assert v_identity <> 0 and v_identity <> v_before and v_identity = postrider.system_identifier();
    perform promise.forget_connection();
    assert not postrider.is_home(), 'another identity is another cluster';
    perform postrider.rebase();
    assert postrider.is_home();
    -- As pg_restore does it.
    refresh materialized view postrider.incarnation;
    assert postrider.system_identifier() not in (0, v_before, v_identity);
    assert not postrider.is_home(), 'a restored dump';
    refresh materialized view postrider.incarnation with no data;
    assert postrider.system_identifier() = 0 and not postrider.is_home(), 'only the schema was restored';
    perform postrider.rebase();
    assert postrider.system_identifier() <> 0 and postrider.is_home();
    rollback;
end
$$;

-- deployments
do $$
declare
    w uuid := promise.worker('staging');
    r record;
    v_channel text;
begin
    perform postrider.require_deployment('default'), postrider.require_deployment(null);
    perform promise.raises('select postrider.require_deployment(''staging'')', 'PR019');
    assert postrider.server_mismatch() is null, postrider.server_mismatch();
    perform promise.raises('select postrider.adopt(''a b'', ''ann'', ''test'')', 'PR013');
    perform promise.raises('select postrider.adopt(''staging'', '''', ''test'')', 'PR001');
    perform promise.publish('staging', 2);
    commit;
    assert promise.numbers(w) = '{1,2}', 'in flight when the copy was made';
    perform promise.publish('staging', 3);
    perform postrider.publish('test.happened', '{"n": 9}', p_channel => 'staging', p_priority => 1);
    commit;
    update postrider.deployment set port = port + 1;
    assert postrider.server_mismatch() like 'port %', 'a copy beside the original has another port';
    update postrider.deployment set timeline = '00000000';
    assert postrider.server_mismatch() is null, 'a failover is not reported';
    commit;

    perform postrider.define_schedule('s', '{"cron": "* * * * * *", "message": {"event_type": "tick", "channel": "ticks"}}');
    r := postrider.adopt('staging', 'ann', 'a copy for tests');
    commit;
    assert r.schedules = 0 and not (select paused from postrider.schedules), 'the first name is not that of a copy';
    assert r.deliveries = 0 and postrider.server_mismatch() is null;
    assert (select data_directory = current_setting('data_directory') from postrider.deployment), 'recorded by a superuser';
    perform postrider.require_deployment('staging');
    perform promise.raises('select postrider.require_deployment(''default'')', 'PR019');
    assert not exists (select from postrider.worker);
    assert exists (select from postrider.audits where action = 'adopt');
    perform postrider.reap();
    w := promise.worker('staging');
    commit;
    perform promise.park(w);
    assert promise.numbers(w) = '{1,2,3}';
    commit;
    assert (select count(*) from postrider.claim_due(w, 10)) = 3, 'what the original had in flight is owed again';
    commit;

    perform promise.publish('staging', 5);
    commit;
    r := postrider.adopt('staging', 'ann', 'another copy', p_drop_owed => true);
    commit;
    assert r.deliveries >= 3 and r.consumers >= 1 and r.schedules = 1, r;
    -- The original fires the schedules: a copy does when an operator resumes them, and a definition that is the same does not.
    perform postrider.define_schedule('s', '{"cron": "* * * * * *", "message": {"event_type": "tick", "channel": "ticks"}}');
    update postrider.schedule set next_at = clock_timestamp() - interval '5 seconds', next_slot = date_trunc('second', clock_timestamp()) - interval '5 seconds';
    assert (select fired = 0 and again_at is null from postrider.fire_due());
    assert (select paused and paused_reason = 'paused when the database was adopted as staging' from postrider.schedules);
    perform postrider.pause_schedule('s', false);
    assert not (select paused from postrider.schedules);
    r := postrider.adopt('test', 'ann', 'the copy of a copy');
    assert r.schedules = 1 and (select paused from postrider.schedules);
    r := postrider.adopt('staging', 'ann', 'back');
    commit;
    w := promise.worker('staging');
    commit;
    assert promise.numbers(w) = '{}';
    assert not exists (select from postrider.claim_due(w, 10));
    perform promise.publish('staging', 1);
    commit;
    assert promise.numbers(w) = '{1}', 'what is published in the copy is delivered';
    commit;
end
$$;

-- a copy drops the messages that wait for an ordering key; dead letters keep holding theirs
do $$
declare
    w uuid := promise.ordered('keys');
    r record;
begin
    perform promise.keyed('keys', 'a1 a2 d1 d2');
    commit;
    assert (select lease_id is not null from postrider.exchange_ordered(w, 10)), 'a1 and d1';
    perform postrider.settle(w, l.id, l.token, null, jsonb_build_array(jsonb_build_object('seq', l.members[2], 'outcome', 'terminal')))
    from postrider.lease l where l.worker_id = w and l.finished_at is null;
    commit;
    assert exists (select from postrider.follower);
    -- As while a long segment is read, and after an alert.
    insert into postrider.lookahead select consumer_id, clock_timestamp(), '1', 1, 1 from postrider.worker where id = w;
    insert into postrider.key_backlog select consumer_id, 'd', 0, clock_timestamp() from postrider.worker where id = w;
    r := postrider.adopt('staging', 'ann', 'a copy with ordering keys', p_drop_owed => true);
    commit;
    assert not exists (select from postrider.follower) and not exists (select from postrider.lookahead)
       and not exists (select from postrider.key_backlog);
    assert r.deliveries = 2, format('a2 and d2: %s', r.deliveries);
    w := promise.ordered('keys');
    commit;
    perform promise.keyed('keys', 'a3 b1 d3');
    commit;
    for i in 1..3 loop
        perform postrider.exchange_ordered(w, 10);
        commit;
    end loop;
    assert (select string_agg(m.payload ->> 'n', ' ' order by m.seq) from postrider.lease l join postrider.message m on m.seq = any (l.members)
            where l.worker_id = w) = 'a3 b1', 'd3 waits for the dead letter d1';
end
$$;
