-- start_keys(seqs): releases the keys that were held until a job was started, of messages that a worker is given.
-- Touches: unique_job.
create or replace function postrider.start_keys(p_seqs bigint[]) returns void
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    as $$
begin
    delete from postrider.unique_job u where u.seq = any (p_seqs) and u.scope = 'until_started';
end
$$;
