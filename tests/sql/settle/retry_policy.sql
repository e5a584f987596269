-- Promises about invalid retry policies:
--   the delay stays between floor and cap however extreme the numbers
--   a malformed policy is refused when its handler is registered (PR001); if one is stored anyway, neither settle() nor reap(), which works
--     for every consumer of the database, fails
\ir ../include/promises.sql

do $$
declare
    v_retry jsonb;
begin
    foreach v_retry in array array['{"multiplier": 1e10}', '{"curve": "quadratic", "base_ms": 1e300}',
                                   '{"curve": "linear", "base_ms": 1e308}']::jsonb[] loop
        assert postrider.delay(v_retry, 1000, 0.9) between interval '100 ms' and interval '300 s', v_retry;
    end loop;
    assert postrider.delay('{"curve": "linear", "base_ms": 1e300, "cap_ms": 1e15}', 1, 0.9) >= interval '300 s';
end
$$;

-- refused when registered
do $$
declare
    v_retry text;
begin
    foreach v_retry in array array['{"curve": "exponentail"}', '{"base_ms": "abc"}', '{"curve": "list"}', '{"base_ms": -1}',
                                   '{"curve": "list", "delays_ms": []}', '{"curve": "list", "delays_ms": 7}',
                                   '{"curve": "list", "delays_ms": ["x"]}', '{"jitter": "some"}', '[]', '5',
                                   '{"cap_ms": true}'] loop
        perform promise.raises(format('select promise.worker(''refused'', %L)',
            format('[{"name": "a.x", "event_types": ["*"], "retry": %s}]', v_retry)), 'PR001');
    end loop;
    perform promise.raises(
        $q$select promise.worker('refused', '[{"name": "a.x", "event_types": ["*"], "max_attempts": 0}]')$q$, 'PR001');
    perform promise.raises(
        $q$select promise.worker('refused', '[{"name": "a.x", "event_types": ["*"], "max_crashes": 100000}]')$q$, 'PR001');
end
$$;

-- a stored invalid policy blocks no claim or report
do $$
declare
    bad uuid := promise.worker('bad');
    good uuid := promise.worker('good');
begin
    update postrider.handler h set retry = '{"base_ms": "abc"}' from postrider.consumer c
    where c.id = h.consumer_id and c.channel = 'bad';
    perform postrider.publish('a', p_channel => c, p_priority => 1) from unnest('{bad,good}'::text[]) c;
    commit;
    perform promise.park(bad);
    perform promise.park(good);
    assert (select count(*) from postrider.claim_due(bad)) = 1;
    assert (select count(*) from postrider.claim_due(good)) = 1;
    perform postrider.unregister_worker(bad);
    perform postrider.unregister_worker(good);
    commit;
    assert (select deliveries from postrider.reap()) = 2;
end
$$;
