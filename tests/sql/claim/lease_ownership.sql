-- Promise: only the worker that holds a lease can settle, extend or give it back; another worker of the same consumer
-- gets lost_lease, and nothing changes. The same for deliveries. A worker that reconnects releases the leases that it
-- does not know, and none that it or another worker works on.
\ir ../include/promises.sql

do $$
declare
    holder uuid := promise.worker('whose');
    other uuid := promise.worker('whose');
    l postrider.lease;
    c record;
begin
    perform promise.publish('whose', 2);
    perform postrider.publish('a', p_channel => 'whose', p_priority => 1);
    commit;
    perform promise.park(holder);
    l := promise.newest_lease(holder);
    assert postrider.settle(other, l.id, l.token) = 'lost_lease';
    assert postrider.settle(other, l.id, l.token, l.members[1:1]) = 'lost_lease';
    assert (select settled from postrider.exchange(other, 0, l.id, l.token)) = 'lost_lease';
    assert postrider.release(other, l.id, l.token) = 'lost_lease';
    assert postrider.extend(other, l.id, l.token, '1 hour') = 'lost_lease';
    assert l::text = promise.newest_lease(holder)::text;
    select * into strict c from postrider.claim_due(holder);
    assert (select result from postrider.settle_due(other, jsonb_build_array(jsonb_build_object(
        'delivery', c.delivery_id, 'token', c.lease_token, 'outcome', 'delivered')))) = 'lost_lease';
    assert (select result from postrider.settle_due(holder, jsonb_build_array(jsonb_build_object(
        'delivery', c.delivery_id, 'token', c.lease_token, 'outcome', 'delivered')))) = 'delivered';
end
$$;

do $$
declare
    w uuid := promise.worker('back');
    other uuid := promise.worker('back');
    v_known bigint;
    r record;
begin
    perform promise.raises(format('select postrider.resume_worker(%L)', gen_random_uuid()), 'PR004');
    perform promise.publish('back', 2);
    perform postrider.publish('a', p_channel => 'back', p_priority => 1) from generate_series(1, 3);
    commit;
    perform promise.park(w), postrider.claim(w, 1), postrider.claim(other, 1);
    commit;
    select delivery_id into v_known from postrider.claim_due(w, 1);
    perform postrider.claim_due(other, 1), postrider.claim_due(w, 1);
    commit;
    select * into r
    from postrider.resume_worker(w, array(select id from postrider.lease where worker_id = w), array[v_known]);
    assert (r.leases, r.deliveries) = (0, 1), r;
    assert promise.bell_shared('back'), 'a sleeping worker can have it';
    assert (select array_agg(worker_id order by id) from postrider.delivery where channel = 'back' and status = 'in_flight')
         = array[w, other];
    select * into r from postrider.resume_worker(w, '{}', array[v_known]);
    assert (r.leases, r.deliveries) = (1, 0), r;
    assert (select array_agg(worker_id) from postrider.lease where finished_at is null) @> array[other];
end
$$;
