-- set_ordering(consumer_id, ordering): makes a consumer ordered, from its cursor on, and sets how its dead letters affect their followers.
-- p_ordering: hold: they wait until it is replayed or discarded; skip: they go on; an interval: they wait for that time and then go on;
--   none: the consumer is not ordered; null: as it is. An interval may have ten years: reap() subtracts it from the clock, for all consumers.
-- Raises: PR001 for anything else, PR012 for none while messages wait for an ordering key, and while a handler of the consumer has a limit.
-- Touches: consumer, delivery, follower, audit. The caller holds the claim lock.
-- postrider: after next_followers, ordering_shown, refresh_consumer, write_audit
create or replace function postrider.set_ordering(p_consumer_id int, p_ordering text) returns void
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    as $$
declare
    v_for interval;
    c postrider.consumer;
begin
    if p_ordering is null then
        return;
    elsif p_ordering not in ('none', 'hold') then
        begin
            v_for := case when p_ordering = 'skip' then interval '0' else p_ordering::interval end;
        exception when others then
            v_for := interval '-1 second';
        end;
        if v_for < interval '0' or v_for > interval '10 years' or v_for = interval '0' and p_ordering <> 'skip' then
            raise exception using errcode = 'PR001', message = format(
                'the ordering of a consumer must be hold, skip, a time like ''2 hours'' of at most 10 years, or none, got %L',
                left(p_ordering, 100));
        end if;
    end if;
    if p_ordering = 'none' and (
           exists (select from postrider.follower f where f.consumer_id = p_consumer_id)
           or exists (select from postrider.delivery d
                      where d.consumer_id = p_consumer_id and d.heads is not null and not d.heads and d.status <> 'delivered' and d.deleted_at is null
                        and d.status = 'pending')) then
        raise exception using errcode = 'PR012', message = 'messages of this consumer wait for their ordering keys',
            hint = 'Wait until they have ended; the view postrider.blocked_keys lists the keys.';
    end if;
    select * into c from postrider.consumer where id = p_consumer_id;
    if p_ordering <> 'none' and c.limited then
        raise exception using errcode = 'PR012', message = 'a handler of this consumer has a limit, so it cannot be ordered',
            hint = 'Remove the limits first: the view postrider.limits lists them.';
    end if;
    if (c.ordered, c.hold_for) is distinct from (p_ordering <> 'none', v_for) then
        update postrider.consumer set ordered = p_ordering <> 'none', hold_for = v_for where id = p_consumer_id;
        perform postrider.write_audit(
            session_user, 'set_ordering', 'by ' || session_user, jsonb_build_object('consumer', c.name, 'channel', c.channel),
            jsonb_build_object('ordering', postrider.ordering_shown(c.ordered, c.hold_for)),
            jsonb_build_object('ordering', postrider.ordering_shown(p_ordering <> 'none', v_for)));
        perform postrider.refresh_consumer(p_consumer_id);
        -- With skip, dead letters no longer hold their keys. Holds that end after a time are ended by reap().
        perform postrider.next_followers(p_consumer_id, array(
            select distinct d.ordering_key::text from postrider.delivery d
            where d.consumer_id = p_consumer_id and d.heads and d.status = 'failed' and d.deleted_at is null))
        where v_for = interval '0';
    end if;
    update postrider.delivery d set heads = null
    where p_ordering = 'none' and d.consumer_id = p_consumer_id and d.heads is not null and d.status <> 'delivered'
      and d.deleted_at is null;
end
$$;
