-- retention_dead(limit, dry_run): soft deletes dead letters that died long enough ago, the oldest first.
-- Scans p_limit dead letters per call, from where the last call stopped, because some may be of a class that is kept longer. The
-- place is an instant, so all dead letters of the last instant are scanned: as many as were settled together.
-- A dead letter that holds an ordering key for other messages is kept, and so is one whose copy in pgmq a reader has. One that another
-- transaction has locked, or whose set or member of a set is locked, is left to a later call.
-- Returns: how many it soft deleted, or would. Touches: delivery and the tables that drop_pgmq_copies() and end_members() touch.
-- postrider: after drop_pgmq_copies, end_members, lock_members, retention_of, retention_note
create or replace function postrider.retention_dead(p_limit int, p_dry_run boolean) returns bigint
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    set timezone = 'UTC'
    set jit = off
    set enable_seqscan = off
    set enable_bitmapscan = off
    set plan_cache_mode = force_custom_plan
    as $$
declare
    v_now timestamptz := clock_timestamp();
    v_after timestamptz := (select to_timestamp(place / 1000000.0) from postrider.retention_progress where step = 'dead');
    v_before timestamptz := (select v_now - min(active_ttl) from postrider.retention_policy where entity = 'dead_letter');
    v_walked bigint;
    v_last timestamptz;
    v_due bigint[];
    v_kept bigint[];  -- their copy in pgmq stays
    v_busy bigint[];  -- members of sets that are locked
    v_members bigint[];  -- of sets
begin
    with slice as materialized (
        select d.id, d.dead_at, d.content_class
        from postrider.delivery d
        where d.status = 'failed' and d.deleted_at is null and d.dead_at > v_after and d.dead_at < v_before
        order by d.dead_at
        fetch first p_limit rows with ties
    ), due as materialized (
        select d.id
        from slice s
        cross join lateral postrider.retention_of('dead_letter', s.content_class) p
        join postrider.delivery d on d.id = s.id and d.dead_at is not null and d.deleted_at is null
        where s.dead_at < v_now - p.active_ttl and p.disposal = 'hard_delete'
          and (d.heads is not true or not exists (select from postrider.follower f
                                                  where f.consumer_id = d.consumer_id and f.key = d.ordering_key))
        for update of d skip locked
    )
    select count(*), max(dead_at), array(select id from due) into v_walked, v_last, v_due from slice;
    if not p_dry_run then
        v_busy := postrider.lock_members(array(select d.seq from postrider.delivery d where d.id = any (v_due) and d.set_id is not null));
        v_due := array(select d.id from postrider.delivery d where d.id = any (v_due) and (d.set_id is null or d.seq <> all (v_busy)));
        v_kept := postrider.drop_pgmq_copies(v_due);
        v_due := array(select u from unnest(v_due) u where u <> all (v_kept));
        with changed as (
            update postrider.delivery d set deleted_at = clock_timestamp() where d.id = any (v_due) returning d.seq, d.set_id
        )
        select array_agg(c.seq) into v_members from changed c where c.set_id is not null;
        perform postrider.retention_note('dead',
            case when v_walked >= p_limit then floor(extract(epoch from v_last) * 1000000)::bigint else 0 end, 0);
    end if;
    if v_members is not null then
        perform postrider.end_members(v_members);
    end if;
    return cardinality(v_due);
end
$$;
