-- replay_move(replay, limit, budget, now): moves the next items of a replay, whose row the caller has locked: looks at p_limit of them and
-- moves p_budget at most. Items that changed since the set was frozen, and items that require_generation() would refuse, are skipped with a note.
-- Returns: how many were moved and skipped, and the number of the last one.
-- Touches: replay_item, delivery; rings. The caller's settings pin the plans and the time to wait for a lock.
-- postrider: after lock_ordered, revive
create or replace function postrider.replay_move(
    p_replay postrider.replay, p_limit int, p_budget int, p_now timestamptz, out moved int, out skipped int, out last int
)
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    as $$
declare
    v_ids bigint[];
    v_moved bigint[];
    r constant postrider.replay := p_replay;
begin
    select array_agg(i.delivery_id order by i.number), max(i.number) into v_ids, last
    from (select i.number, i.delivery_id,
                 count(*) filter (where d.cycle = i.cycle and d.status = 'failed' and d.deleted_at is null) over (order by i.number) as movable
          from postrider.replay_item i
          left join lateral (select d.cycle, d.status, d.deleted_at from postrider.delivery d
                             where d.id = i.delivery_id offset 0) d on true  -- by its key, not by its status
          where i.replay_id = r.id and i.number > r.moved_to and i.number <= r.moved_to + p_limit) i
    where i.movable <= p_budget;
    perform postrider.lock_ordered(v_ids, current_setting('lock_timeout')::interval);
    v_moved := array(
        select v.delivery_id from postrider.revive(array(
            select d.id from postrider.replay_item i
            cross join lateral (
                select d.id from postrider.delivery d
                where d.id = i.delivery_id and d.cycle = i.cycle
                  and (r.generation is null or d.handler = '' or exists (
                           select from postrider.consumer c
                           join postrider.consumer t on t.name = c.name and t.channel = 'outbox_gen_' || r.generation
                           join postrider.handler h on h.consumer_id = t.id and h.name = d.handler and h.retired_at is null
                           where c.id = d.consumer_id))
                for no key update) d
            where i.replay_id = r.id and i.number > r.moved_to and i.number <= last
            order by i.number), 'failed', r.generation, r.actor, r.id) v);
    update postrider.replay_item i
    set outcome = 'moved', moved_at = p_now
    where i.replay_id = r.id and i.delivery_id = any (v_moved);
    moved := cardinality(v_moved);
    skipped := cardinality(v_ids) - moved;
    if skipped > 0 then
        update postrider.replay_item i
        set outcome = 'skipped', ended_at = p_now,
            note = case when d.id is null then 'gone' when d.deleted_at is not null then 'discarded'
                        when d.status = 'failed' and d.cycle = i.cycle and d.unique_key is not null then 'its unique key is held'
                        when d.status = 'failed' and d.cycle = i.cycle and r.generation is null then 'a reader of its queue in pgmq has it'
                        when d.status = 'failed' and d.cycle = i.cycle then 'no consumer can run it in that generation'
                        else 'already replayed' end
        from (select unnest(v_ids) as delivery_id) v
        left join postrider.delivery d on d.id = v.delivery_id
        where i.replay_id = r.id and i.delivery_id = v.delivery_id and i.outcome = 'waiting';
    end if;
end
$$;
