-- keep_pgmq_copies(limit): writes copies of dead letters that could not be written before, and within an hour of its definition those of a
-- pipeline's earlier dead letters; removes rows for diagnostics that Postrider wrote more than 30 days ago. At most p_limit of each.
-- Returns: how many were written, and how many rows were removed.
-- Touches: the tables that send_pgmq_copy() touches; delivery, pgmq_pipeline (read).
-- postrider: after send_pgmq_copy
create or replace function postrider.keep_pgmq_copies(p_limit int default 1000, out written bigint, out removed bigint)
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
    as $$
declare
    p postrider.pgmq_pipeline;
    d postrider.delivery;
    v_count bigint;
begin
    written := 0;
    removed := 0;
    for p in select * from postrider.pgmq_pipeline order by queue loop
        for d in
            select e.* from postrider.delivery e
            where e.status = 'failed' and e.deleted_at is null and e.id = any (array(
                select k.delivery_id from postrider.pgmq_copy k where k.queue = p.queue and k.msg_id is null
                union all
                select f.id from postrider.delivery f
                where p.defined_at > clock_timestamp() - interval '1 hour' and p.consumer_id in (f.consumer_id, f.origin_id)
                  and f.status = 'failed' and f.deleted_at is null
                  and not exists (select from postrider.pgmq_copy k where k.delivery_id = f.id)))
            order by e.dead_at, e.id limit p_limit
            for no key update skip locked
        loop
            perform postrider.send_pgmq_copy(d);
            written := written + (select count(k.msg_id) from postrider.pgmq_copy k where k.delivery_id = d.id);
        end loop;
        if to_regclass(p.diagnostics) is not null then
            execute format('delete from %1$s where ctid = any (array(
                                select t.ctid from %1$s t where t.dead_at < clock_timestamp() - interval ''30 days'' and t.queue_name = $1
                                  and t.dlq_msg_id is not null limit $2))',
                           p.diagnostics)
            using p.queue, p_limit;
            get diagnostics v_count = row_count;
            removed := removed + v_count;
        end if;
    end loop;
end
$$;
