-- Promises of rebase(), for a log that was copied into another database cluster:
--   until it has run, claiming and registering are refused (PR006) and publishing is not
--   every unhandled message becomes a delivery, once: messages behind the cursor, in flight, and published in the new cluster before the rebase;
--     delivered messages are not repeated
--   messages that wait for the first handler of a consumer are kept for it
--   afterwards all operations work; in a cluster that needs no rebase it does nothing
\ir ../include/promises.sql
\setenv PGDATABASE :DBNAME

do $$
declare
    w uuid := promise.worker('moved', '[{"name": "a.x", "event_types": ["*"]}]');
begin
    assert not exists (select from postrider.rebase()), 'not needed here';
    perform promise.publish('moved', 6);
    perform postrider.publish('later', '{"n": 7}', p_channel => 'moved', p_available_at => '2100-01-01Z');
    commit;
    assert promise.numbers(w, 1) = '{1}';
    perform postrider.settle(w, l.id, l.token) from promise.newest_lease(w) l;
    commit;
    assert promise.numbers(w, 2) = '{2,3}', 'in flight when the copy is made';
    commit;
    perform set_config('promise.worker', w::text, false);
    -- As if this were a copy made elsewhere.
    update postrider.epoch set system_identifier = 42;
    perform set_config('postrider.claims', '', false), set_config('postrider.cluster', '', false), set_config('postrider.channels', '', false);
end
$$;
do $$
declare
    w uuid := current_setting('promise.worker')::uuid;
begin
    perform promise.raises(format('select postrider.claim(%L)', w), 'PR006');
    perform promise.raises(format('select postrider.claim_due(%L)', w), 'PR006');
    perform promise.raises($q$select promise.worker('moved')$q$, 'PR006');
    perform postrider.publish('a', '{"n": 8}', p_channel => 'moved');
    commit;
    perform promise.raises(format('select postrider.claim(%L)', w), 'PR006');
end
$$;
\! psql -XqAt -v ON_ERROR_STOP=1 -c "insert into postrider.message (event_type, payload, channel) values ('a', jsonb_build_object('n', 9), 'moved')"
do $$
declare
    w uuid := current_setting('promise.worker')::uuid;
    r record;
begin
    select * into strict r from postrider.rebase();
    assert (r.consumer, r.channel, r.deliveries) = ('reader', 'moved', 8), r;
    commit;
    assert not exists (select from postrider.rebase()), 'once is enough';
    perform promise.raises(format('select postrider.claim(%L)', w), 'PR004');
    w := promise.worker('moved', '[{"name": "a.x", "event_types": ["*"]}]');
    commit;
    assert promise.numbers(w) = '{}';
    assert (select array_agg((c.payload ->> 'n')::int order by c.delivery_id) from postrider.claim_due(w, 100) c) = '{2,3,4,5,6,8,9}';
    perform postrider.publish('a', '{"n": 10}', p_channel => 'moved');
    commit;
    assert promise.numbers(w) = '{10}';
    assert (select count(*) from postrider.delivery where channel = 'moved' and payload ->> 'n' = '7' and status = 'pending') = 1;
end
$$;
begin isolation level serializable;
select promise.raises('select postrider.rebase()', 'PR005');
commit;

-- a consumer that has had no handler yet gets all its messages with its first handler
do $$
begin
    perform postrider.create_consumer('unstarted', 'unstarted');
    commit;
    perform promise.publish('unstarted', 2);
    commit;
    update postrider.epoch set system_identifier = 43 where system_identifier <> 42;
    perform set_config('postrider.claims', '', false), set_config('postrider.cluster', '', false), set_config('postrider.channels', '', false);
    commit;
    assert (select r.deliveries from postrider.rebase() r where r.consumer = 'unstarted') = 2;
    commit;
    perform postrider.register_worker('00000000-0000-0000-0000-0000000000f1', 'unstarted',
                                      '[{"name": "a.first", "event_types": ["*"]}]', 'unstarted');
    commit;
    assert (select array_agg((c.payload ->> 'n')::int order by c.delivery_id)
            from postrider.claim_due('00000000-0000-0000-0000-0000000000f1') c) = '{1,2}';
end
$$;
