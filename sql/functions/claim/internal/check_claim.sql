-- check_claim(worker, limit, deadline, keep): the checks of a claim that a session makes once per worker. p_keep: the session
-- remembers the worker, and the settings that pin the plans of exchange_packed().
-- Returns: the worker's id, a blank and its consumer's id; null when p_limit is 0, so that the claim takes no lock and has no cursor.
-- Raises: the errors of exchange().
-- Touches: worker (the login), consumer_owner (lock), the session's settings.
-- postrider: after pin_plans, require_cluster, require_read_committed, require_worker, keep_owner, wait_to_claim
create or replace function postrider.check_claim(p_worker uuid, p_limit int, p_deadline interval, p_keep boolean) returns text
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    as $$
declare
    v_known text;
begin
    perform postrider.require_read_committed('claim');
    if current_setting('postrider.claims', true) is distinct from 'known' then
        perform postrider.require_cluster();
    end if;
    v_known := p_worker || ' ' || postrider.require_worker(p_worker);
    if p_limit is null or p_limit not between 0 and 10000 then
        raise exception using errcode = 'PR001',
            message = format('claim: the limit must be between 0 and 10000, got %s', coalesce(p_limit::text, 'null'));
    elsif p_deadline <= interval '0' then
        raise exception using errcode = 'PR001',
            message = format('claim: the deadline must be a positive interval, got %s', p_deadline);
    end if;
    if p_limit = 0 then
        return null;
    end if;
    if exists (select from postrider.worker where id = p_worker and login is distinct from session_user) then
        -- In the lock order: before the worker, which register_worker() changes with this lock held.
        perform postrider.wait_to_claim(substr(v_known, 38)::int, p_limit);
        perform postrider.keep_owner(c.name) from postrider.worker w join postrider.consumer c on c.id = w.consumer_id where w.id = p_worker;
        update postrider.worker set login = session_user where id = p_worker;
    end if;
    if p_keep then
        perform postrider.pin_plans();
        perform set_config('postrider.worker', v_known, false);
    end if;
    return v_known;
end
$$;
