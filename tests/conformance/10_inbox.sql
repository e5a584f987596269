-- Idempotency: an effect happens once per consumer, handler, source and key.
\ir include/check.sql

-- check: the_inbox_is_unique_per_consumer_handler_source_and_key
do $$
begin
    assert (select pg_get_constraintdef(oid) from pg_constraint where conrelid = 'postrider.event_handled'::regclass and contype = 'p')
        = 'PRIMARY KEY (idempotency_key, handler_name, consumer_name, source)';
    assert postrider.handle_once(row('worlds', 'worlds.indexer', 'scan', 'k1'))
       and not postrider.handle_once(row('worlds', 'worlds.indexer', 'scan', 'k1')), 'the second time is caught';
    assert postrider.handle_once(row('worlds', 'worlds.mailer', 'scan', 'k1')), 'another handler has an effect of its own';
    assert postrider.handle_once(row('search', 'worlds.indexer', 'scan', 'k1')), 'another consumer has an effect of its own';
    assert postrider.handle_once(row('worlds', 'worlds.indexer', 'upload', 'k1')), 'another source has keys of its own';
end
$$;

-- check: an_effect_and_its_entry_happen_together_or_not_at_all
create table promise.effects (key text);
begin;
select postrider.handle_once(row('reader', 'a.b', '', 'together')) \g /dev/null
insert into promise.effects values ('together');
rollback;
do $$
begin
    assert postrider.handle_once(row('reader', 'a.b', '', 'together')) and not exists (select from promise.effects);
end
$$;

-- check: the_key_is_the_id_unless_given
do $$
declare
    w uuid := promise.worker('keys');
    v_id uuid := postrider.publish('x', p_channel => 'keys');
begin
    perform postrider.publish('y', p_channel => 'keys', p_idempotency_key => 'mine');
    commit;
    assert (select array_agg(idempotency_key order by event_type) from postrider.claim(w)) = array[v_id::text, 'mine'];
end
$$;

-- check: the_key_is_the_same_in_every_run
do $$
declare
    w uuid := promise.worker('same.key');
    v_keys text[] := '{}';
    c record;
begin
    perform postrider.publish('x', p_channel => 'same.key');
    commit;
    select * into strict c from postrider.claim(w);
    v_keys := v_keys || c.idempotency_key;
    perform postrider.settle(w, c.lease_id, c.lease_token, null, jsonb_build_array(jsonb_build_object('seq', c.seq, 'outcome', 'transient')));
    for i in 1..3 loop
        perform promise.due_now('same.key');
        select * into strict c from postrider.claim_due(w);
        v_keys := v_keys || c.idempotency_key;
        perform postrider.settle_due(w, promise.outcomes(c.delivery_id, c.lease_token, 'transient'));
    end loop;
    assert (select count(distinct k) from unnest(v_keys) k) = 1 and cardinality(v_keys) = 4;
    assert v_keys[1] = c.id::text;
end
$$;

-- check: a_handler_name_has_a_scope
do $$
begin
    perform promise.raises($q$select promise.worker('scope', '[{"name": "indexer", "event_types": ["*"]}]')$q$, 'PR013');
    perform promise.worker('scope', '[{"name": "worlds.scan_completed_indexer", "event_types": ["*"]}]');
end
$$;

-- check: delivery_is_at_least_once
do $$
declare
    w uuid := promise.worker('again');
    c record;
    v_runs int := 0;
begin
    perform postrider.publish('x', p_channel => 'again');
    commit;
    -- The handler succeeds, but its worker dies before it reports the outcome.
    select * into strict c from postrider.claim(w);
    assert postrider.handle_once(row('reader', 'test.all', '', c.idempotency_key));
    delete from postrider.worker where id = w;
    perform postrider.reap();
    w := promise.worker('again');
    select * into strict c from postrider.claim_due(w);
    assert not postrider.handle_once(row('reader', 'test.all', '', c.idempotency_key)), 'and its inbox knows it';
end
$$;
