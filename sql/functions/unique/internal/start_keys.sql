-- start_keys(seqs): releases the keys with the scope until_started of messages that are handed out.
-- Touches: unique_job.
create or replace function postrider.start_keys(p_seqs bigint[]) returns void
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    as $$
begin
    delete from postrider.unique_job u where u.seq = any (p_seqs) and u.scope = 'until_started';
end
$$;
