-- keep_pgmq_copies(limit, time): writes copies of dead letters that could not be written before, and within an hour of its definition those of a
-- pipeline's earlier dead letters; removes rows for diagnostics that Postrider wrote, of dead letters that died more than 30 days ago. At most
-- p_limit of each, and no further copy after p_time: a copy may fail permanently because of its content, and maintain() of every worker retries
-- it. So the order is random. An error of one pipeline does not affect the others.
-- Returns: how many were written, and how many rows were removed.
-- Touches: the tables that send_pgmq_copy() touches; delivery, pgmq_pipeline (read).
-- postrider: after lock_pgmq, require_own_pgmq, send_pgmq_copy
create or replace function postrider.keep_pgmq_copies(
    p_limit int default 1000, p_time interval default '500 ms', out written bigint, out removed bigint
)
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
    as $$
declare
    v_until timestamptz := clock_timestamp() + p_time;
    p postrider.pgmq_pipeline;
    d postrider.delivery;
    v_id bigint;
    v_count bigint;
begin
    written := 0;
    removed := 0;
    for p in select * from postrider.pgmq_pipeline order by random() loop
        begin
            for v_id in
                select k.id
                from (select c.delivery_id as id from postrider.pgmq_copy c where c.queue = p.queue and c.msg_id is null
                      union all
                      select f.id from postrider.delivery f
                      where p.defined_at > clock_timestamp() - interval '1 hour' and p.consumer_id in (f.consumer_id, f.origin_id)
                        and f.status = 'failed' and f.deleted_at is null
                        and not exists (select from postrider.pgmq_copy c where c.delivery_id = f.id)) k
                order by random() limit p_limit
            loop
                exit when clock_timestamp() > v_until;
                select e.* into d from postrider.delivery e
                where e.id = v_id and e.status = 'failed' and e.deleted_at is null for no key update skip locked;
                -- Another maintainer may have written it since the list was read.
                continue when not found
                    or exists (select from postrider.pgmq_copy c where c.delivery_id = v_id and c.msg_id is not null);
                perform postrider.send_pgmq_copy(d);
                written := written + (select count(k.msg_id) from postrider.pgmq_copy k where k.delivery_id = d.id);
            end loop;
            if to_regclass(p.diagnostics) is not null then
                perform postrider.require_own_pgmq(p.queue, p.diagnostics);
                perform postrider.lock_pgmq(p.queue, p.diagnostics);
                execute format('delete from %1$s where ctid = any (array(
                                    select t.ctid from %1$s t where t.dead_at < clock_timestamp() - interval ''30 days'' and t.queue_name = $1
                                      and t.dlq_msg_id is not null limit $2 for update skip locked))',
                               p.diagnostics)
                using p.queue, p_limit;
                get diagnostics v_count = row_count;
                removed := removed + v_count;
            end if;
        exception when others then
            raise warning 'copies of dead letters of the queue % cannot be kept: %', p.queue, sqlerrm;
        end;
    end loop;
end
$$;
