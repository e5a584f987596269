-- Promise: many large messages at once can have to wait, be given back and be taken back from a dead worker.
\ir include/promises.sql

do $$
declare
    w uuid := promise.worker('heavy');
begin
    perform postrider.publish('a', to_jsonb(repeat('x', 1000000)), p_channel => 'heavy') from generate_series(1, 280);
    commit;
    assert (select count(*) from postrider.claim(w, 1000)) = 280;
    commit;
    perform postrider.unregister_worker(w);
    assert (select leases from postrider.reap()) = 1;
    assert (select count(*) from postrider.delivery where channel = 'heavy' and length(payload #>> '{}') = 1000000) = 280;
end
$$;

do $$
declare
    w uuid := promise.worker('heavy_later');
begin
    perform postrider.publish('a', to_jsonb(repeat('x', 1000000)), p_channel => 'heavy_later', p_priority => 1)
    from generate_series(1, 280);
    perform postrider.publish('a', '{"n": 1}', p_channel => 'heavy_later');
    commit;
    assert promise.numbers(w, 1000) = '{1}';
    assert (select count(*) from postrider.delivery where channel = 'heavy_later') = 280;
end
$$;
