-- release(worker, lease, token, seqs): returns messages that were not started, uncharged. p_seqs null means all
-- members of the lease. The messages are due again at once.
-- Returns: as settle().
-- postrider: grant worker
-- postrider: after settle, require_worker
create or replace function postrider.release(
    p_worker uuid, p_lease bigint, p_token uuid, p_seqs bigint[] default null
) returns text
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
    as $$
declare
    v_consumer int := postrider.require_worker(p_worker);
    v_failures jsonb;
begin
    select jsonb_agg(jsonb_build_object('seq', s.seq, 'outcome', 'interrupted'))
    into v_failures
    from postrider.lease l
    cross join lateral unnest(coalesce(p_seqs, l.members)) as s(seq)
    where l.consumer_id in (v_consumer, -v_consumer) and l.id = p_lease and l.token = p_token
      and l.worker_id = p_worker;
    return postrider.settle(p_worker, p_lease, p_token, '{}', v_failures);
end
$$;
