-- take_out(consumer_id, jobs): takes jobs of a consumer that have no delivery out of the log, of the tables waiting and follower and of leases, and makes
-- deliveries of them. Messages that the log's cursor has not reached are noted in the consumer's row: claims pass them over.
-- Its plans are custom ones, in which arrays are hashed: leases and jobs may be large.
-- Raises: PR002 when more than 10,000 of those are noted.
-- Touches: waiting, follower, lease, consumer, delivery; message (read).
-- postrider: after next_followers, note_all_waiting, park
create or replace function postrider.take_out(p_consumer_id int, p_jobs postrider.cancel_job[]) returns void
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    set plan_cache_mode = force_custom_plan
    as $$
declare
    v_most constant int := 10000;
    v_seqs bigint[] := array(select distinct j.seq from unnest(p_jobs) j);
    v_ahead bigint[] := array(select distinct j.seq from unnest(p_jobs) j where j.status = 'pending' and not j.waits);
    v_noted bigint[];
    v_keys text[];  -- of followers
    v_count int;
    p record;
begin
    if exists (select from unnest(p_jobs) j where j.status = 'pending' and j.waits) then
        perform postrider.note_all_waiting(p_consumer_id);
        delete from postrider.waiting w where w.consumer_id = p_consumer_id and w.seq = any (v_seqs);
    end if;
    with gone as (
        delete from postrider.follower f where f.consumer_id = p_consumer_id and f.seq = any (v_ahead) returning f.seq, f.key
    ), throttled as (
        delete from postrider.waiting w where w.consumer_id = -p_consumer_id and w.seq = any (v_seqs) returning w.seq, null
    )
    select array_agg(g.seq), array_agg(distinct g.key) filter (where g.key is not null) into v_noted, v_keys
    from (select * from gone union all select * from throttled) g;
    v_ahead := array(select a from unnest(v_ahead) a where (a = any (v_noted)) is not true);
    update postrider.lease l
    set members = n.members, finished_at = case when n.members = '{}' then clock_timestamp() end
    from (select o.consumer_id, o.id,
                 array(select s.seq from unnest(o.members) with ordinality as s(seq, n)
                       where s.seq <> all (v_seqs) order by s.n) as members
          from postrider.lease o
          where o.consumer_id in (p_consumer_id, -p_consumer_id) and o.finished_at is null
            and exists (select from unnest(o.members) s where s = any (v_seqs) offset 0)) n
    where l.consumer_id = n.consumer_id and l.id = n.id;
    if v_ahead <> '{}' then
        update postrider.consumer c
        set cancelled = coalesce(c.cancelled, '{}') || v_ahead, handlers = array_remove(c.handlers, '') || ''::text
        where c.id = p_consumer_id
        returning cardinality(c.cancelled) into v_count;
        if v_count > v_most then
            raise exception using errcode = 'PR002',
                message = format('cancel: %s messages behind the cursor of the consumer, the limit is %s', v_count, v_most),
                hint = 'Cancel fewer at once, or remove the consumer together with its messages.';
        end if;
    end if;
    select array_agg(j.xid) as xids, array_agg(j.seq) as seqs, array_agg(j.handler) as handlers, min(j.channel) as channel,
           min(j.published_at) as from_at, max(j.published_at) as to_at
    into p from unnest(p_jobs) j;
    perform postrider.park(p_consumer_id, p.channel, p.xids, p.seqs, p.handlers, p.from_at, p.to_at);
    -- A message that ended before its consumer was moved back already has a delivery. Its end starts no other
    -- message.
    perform postrider.next_followers(p_consumer_id, v_keys) where v_keys is not null;
end
$$;
