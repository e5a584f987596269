-- Included first by every file of checks: the promises' functions, and functions shared by several files.
\ir ../../sql/include/promises.sql

-- profile(): the profile the check is run under.
create function promise.profile() returns jsonb
    language sql
    as $$ select postrider.profile(current_setting('check.profile')) $$;

-- channel(name): a channel of the check's own, per profile.
create function promise.channel(p_name text) returns text
    language sql
    as $$ select concat_ws('.', p_name, nullif(current_setting('check.profile', true), '')) $$;

-- profile_worker(channel, more): a worker whose handler has the policies of the profile, and the keys of `more`.
create function promise.profile_worker(p_channel text, p_more jsonb default '{}') returns uuid
    language sql
    as $$
    select promise.worker(p_channel, jsonb_build_array(
        promise.profile() -> 'handler' || '{"name": "test.all", "event_types": ["*"]}' || p_more))
    $$;

-- outcomes(delivery, token, outcome, more): settle_due()'s argument for one delivery.
create function promise.outcomes(p_delivery bigint, p_token uuid, p_outcome text, p_more jsonb default '{}') returns jsonb
    language sql
    as $$
    select jsonb_build_array(jsonb_build_object('delivery', p_delivery, 'token', p_token, 'outcome', p_outcome) || p_more)
    $$;

-- first_run(worker, outcome, more): claims the next message and reports its outcome. Returns its seq, null when there is none.
create function promise.first_run(p_worker uuid, p_outcome text, p_more jsonb default '{}') returns bigint
    language plpgsql
    as $$
declare
    c record;
begin
    select * into c from postrider.claim(p_worker, 1);
    if not found then
        return null;
    elsif p_outcome = 'delivered' then
        perform postrider.settle(p_worker, c.lease_id, c.lease_token);
    else
        perform postrider.settle(p_worker, c.lease_id, c.lease_token, null, jsonb_build_array(
            jsonb_build_object('seq', c.seq, 'outcome', p_outcome) || p_more));
    end if;
    return c.seq;
end
$$;

-- due_run(worker, outcome, more): claims the next due delivery and reports its outcome. Returns the result, null when none is due.
create function promise.due_run(p_worker uuid, p_outcome text, p_more jsonb default '{}') returns text
    language plpgsql
    as $$
declare
    c record;
begin
    select * into c from postrider.claim_due(p_worker, 1);
    if not found then
        return null;
    end if;
    return (select result from postrider.settle_due(p_worker, promise.outcomes(c.delivery_id, c.lease_token, p_outcome, p_more)));
end
$$;

-- row_of(channel): the row of outbox for the only message of a channel.
create function promise.row_of(p_channel text) returns postrider.outbox
    language sql
    as $$ select o from postrider.outbox o where o.channel = p_channel $$;
