-- park_ordered(lease, delivered, failures): park_failures() for a lease with ordering keys. Of each key only the first message that was not
-- delivered gets a delivery. Messages behind it that were not delivered become followers again, uncharged, in their order. If a delivery
-- already holds the key, or reap() has taken back earlier messages of it, all of its messages do.
-- p_delivered is settle()'s. A lost worker may have started any of them, so each is then handed out alone.
-- Returns, raises: as park_failures(). The caller calls next_followers(). Touches: follower, and the tables that park_failures() touches.
-- postrider: after park_failures, put_back
create or replace function postrider.park_ordered(
    p_lease postrider.lease, p_delivered bigint[], p_failures jsonb, out failed bigint[], out runs postrider.ended_run[]
)
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    set jit = off
    set enable_seqscan = off
    set enable_bitmapscan = off
    set enable_hashjoin = off
    set enable_mergejoin = off
    as $$
declare
    v_consumer int := abs(p_lease.consumer_id);
    v_back bigint[];
    v_lost bigint[];
    -- Keys of which an earlier step of reap() has taken back messages, in a lease that then belongs to no worker.
    v_begun constant text[] := case when p_lease.worker_id = '00000000-0000-0000-0000-000000000000' then array(
        select distinct k.key from unnest((p_lease.taken).seqs, (p_lease.taken).keys) as k(seq, key)
        where k.key is not null and k.seq not in (select unnest(p_lease.members))) else '{}' end;
    f record;
begin
    if exists (select from postrider.consumer c where c.id = v_consumer and c.ordered)
       and p_failures @> '[{"outcome": "interrupted"}]' then
        with failure as materialized (
            select (e.item ->> 'seq')::bigint as seq, e.item ->> 'outcome' as outcome, e.item ->> 'error_class' as error_class
            from jsonb_array_elements(p_failures) as e(item)
            where e.item ->> 'seq' ~ '^[0-9]{1,18}$'
        ), undelivered as (
            select k.seq, k.key, (k.key = any (v_begun))::int + row_number() over (partition by k.key order by k.n) as place
            from unnest((p_lease.taken).seqs, (p_lease.taken).keys) with ordinality as k(seq, key, n)
            where k.key is not null and k.seq in (select unnest(p_lease.members))
              and (k.seq in (select r.seq from failure r) or k.seq not in (select s from unnest(p_delivered) s where s is not null)
                                                             and p_delivered is not null)
        ), held as materialized (
            select d.ordering_key::text as key from postrider.delivery d
            where d.consumer_id = v_consumer and d.heads and d.status <> 'delivered' and d.deleted_at is null
              and d.ordering_key in (select u.key from undelivered u)
              and (d.status <> 'failed' or (select c.hold_for is distinct from interval '0' from postrider.consumer c where c.id = v_consumer))
        ), back as (
            select u.seq, u.place > 1 and u.key not in (select h.key from held h) as behind
            from undelivered u
            where u.place > 1 or u.key in (select h.key from held h)
        )
        select array_agg(b.seq) filter (where not b.lost), array_agg(b.seq) filter (where b.lost) into v_back, v_lost
        from (select b.seq, b.behind and coalesce(r.error_class in ('worker_lost', 'lease_expired'), false) as lost
              from failure r join back b on b.seq = r.seq
              where r.outcome = 'interrupted') b;
        perform postrider.put_back(v_consumer, p_lease.taken, v_back, false) where v_back is not null;
        perform postrider.put_back(v_consumer, p_lease.taken, v_lost, true) where v_lost is not null;
    end if;
    failed := coalesce(v_back, '{}') || coalesce(v_lost, '{}');
    runs := '{}';
    if failed <> '{}' then
        p_failures := (select coalesce(jsonb_agg(e.item), '[]') from jsonb_array_elements(p_failures) as e(item)
                       where e.item ->> 'seq' not in (select s::text from unnest(failed) s));
    end if;
    if p_failures <> '[]' then
        f := postrider.park_failures(p_lease, p_failures);
        failed := failed || f.failed;
        runs := f.runs;
    end if;
end
$$;
