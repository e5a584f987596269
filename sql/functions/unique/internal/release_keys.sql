-- release_keys(seqs): releases the keys of unique jobs that have ended: no delivery of them waits or runs. A serial job that was blocked
-- by one of them is due at once. Keys that are held for a period stay.
-- Called in the transaction that ends the jobs.
-- Touches: unique_job, delivery; rings.
-- postrider: after ring
create or replace function postrider.release_keys(p_seqs bigint[]) returns void
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    as $$
declare
    v_channels text[] := '{}';
    v_channel text;
    u postrider.unique_job;
begin
    for u in
        delete from postrider.unique_job j
        where j.seq = any (p_seqs) and j.scope <> 'period'
          and not exists (select from postrider.delivery d where d.seq = j.seq and d.status in ('pending', 'in_flight'))
        returning j.*
    loop
        continue when u.place <> 'running';
        -- A separate statement with a new snapshot: a claim that locked the row and marked the next job has committed
        -- by then.
        update postrider.delivery d set available_at = clock_timestamp()
        from postrider.unique_job n
        where n.consumer_id = u.consumer_id and n.handler = u.handler and n.key = u.key and n.place = 'first' and n.blocked
          and d.seq = n.seq and d.status = 'pending' and d.available_at = 'infinity'
        returning d.channel into v_channel;
        if found and v_channel <> all (v_channels) then
            v_channels := v_channels || v_channel;
        end if;
    end loop;
    perform postrider.ring(c.name) from unnest(v_channels) as c(name) order by c.name;
end
$$;
