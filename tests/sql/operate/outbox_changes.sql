-- Promise: while handlers are registered, changed and retired at any time, a message keeps exactly one row per handler
-- it is or was for, and delivered and failed rows stay so.
\ir ../include/promises.sql

create temp table seen (seq bigint, handler text, status text, primary key (seq, handler));
do $$
declare
    w uuid;
    c record;
begin
    perform setseed(0.1742);
    for i in 1..80 loop
        -- a.x accepts all types with ever new patterns; b.x is registered, retired and changed.
        w := promise.worker('changes', jsonb_build_array(jsonb_build_object(
                'name', 'a.x', 'retry', '{"curve": "immediate"}'::jsonb, 'max_attempts', 3,
                'event_types', (array['["*"]', '["a", "b", "*"]', '["a", "b"]'])[1 + floor(random() * 3)::int]::jsonb))
            || case when random() < 0.4 then jsonb_build_array(jsonb_build_object('name', 'b.x', 'event_types',
                (array['["a"]', '["b"]', '["*"]'])[1 + floor(random() * 3)::int]::jsonb)) else '[]' end);
        commit;
        perform postrider.publish((array['a', 'b'])[1 + floor(random() * 2)::int], p_channel => 'changes',
                                  p_priority => (array[0, 0, 0, 1])[1 + floor(random() * 4)::int])
        from generate_series(1, floor(random() * 5)::int);
        commit;
        perform postrider.claim(w, 1 + floor(random() * 5)::int);
        commit;
        if random() < 0.3 and exists (select from postrider.handler h join postrider.consumer co on co.id = h.consumer_id
                                      where co.channel = 'changes' and h.name = 'b.x' and h.retired_at is null) then
            perform postrider.retire_handler('reader', 'b.x', 'changes');
            commit;
        end if;
        for c in select l.* from postrider.lease l join postrider.consumer co on co.id = l.consumer_id
                 where co.channel = 'changes' and l.finished_at is null and random() < 0.7 loop
            perform case when random() < 0.5 then postrider.settle(c.worker_id, c.id, c.token)
                         else postrider.release(c.worker_id, c.id, c.token, c.members[1:1]) end;
        end loop;
        commit;
        for c in select * from postrider.claim_due(w, 3) loop
            perform postrider.settle_due(w, jsonb_build_array(jsonb_build_object('delivery', c.delivery_id,
                'token', c.lease_token, 'outcome', (array['transient', 'delivered', 'terminal'])[1 + floor(random() * 3)::int])));
        end loop;
        commit;
        assert not exists (select from postrider.outbox o where o.channel = 'changes' group by o.seq, o.handler having count(*) > 1),
            format('round %s: two rows for one message and handler', i);
        assert not exists (select from postrider.message m where m.channel = 'changes' and not exists (
            select from postrider.outbox o where o.seq = m.seq and o.handler = 'a.x')), format('round %s: a row is missing', i);
        assert not exists (select from seen s left join postrider.outbox o on o.seq = s.seq and o.handler = s.handler
                           where o.status is distinct from s.status), format('round %s: the past has changed', i);
        insert into seen select o.seq, o.handler, o.status from postrider.outbox o
        where o.channel = 'changes' and o.status in ('delivered', 'failed') on conflict do nothing;
        commit;
    end loop;
    assert (select count(distinct status) from seen) = 2;
end
$$;
