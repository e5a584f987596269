-- Promise: only the worker that holds a lease can settle, extend or give it back; another worker of the same
-- consumer is told that it is not its own, and nothing changes. The same for deliveries.
\ir include/promises.sql

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
    perform postrider.claim(holder);
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
