-- Promises about many large messages:
--   they are claimed in pieces, and taken back from a dead worker
--   also when they waited
\ir ../include/promises.sql

do $$
declare
    w uuid := promise.worker('heavy');
    v_got int := 1;
    v_all int := 0;
    v_leases int := 0;
begin
    perform postrider.publish('a', to_jsonb(repeat('x', 1000000)), p_channel => 'heavy') from generate_series(1, 50);
    commit;
    while v_got > 0 loop
        v_got := (select count(*) from postrider.claim(w, 1000));
        assert v_got <= 20, v_got;
        v_all := v_all + v_got;
        v_leases := v_leases + least(v_got, 1);
        commit;
    end loop;
    assert v_all = 50, v_all;
    perform postrider.unregister_worker(w);
    assert (select leases from postrider.reap()) = v_leases;
    assert (select count(*) from postrider.delivery where channel = 'heavy' and length(payload #>> '{}') = 1000000) = 50;
end
$$;

do $$
declare
    w uuid := promise.worker('heavy_later');
    v_got int := 1;
    v_all int := 0;
begin
    perform postrider.publish('a', to_jsonb(repeat('x', 1000000)), p_channel => 'heavy_later', p_priority => 1)
    from generate_series(1, 30);
    perform postrider.publish('a', '{"n": 1}', p_channel => 'heavy_later');
    commit;
    while v_got > 0 loop
        v_got := (select count(*) from postrider.claim(w, 1000));
        assert v_got <= 20, v_got;
        v_all := v_all + v_got;
        commit;
    end loop;
    assert v_all = 31, v_all;
end
$$;
