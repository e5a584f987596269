-- require_cluster(): raises an error in a cluster that the cursors do not belong to.
-- Raises: PR006 when they were made in another cluster, or before its transaction counter was set back, and not rebased since.
-- postrider: after is_home, log_is_ahead
create or replace function postrider.require_cluster() returns void
    language plpgsql security definer
    set search_path = pg_catalog, pg_temp
    as $$
begin
    if not postrider.is_home() or postrider.log_is_ahead() then
        raise exception using errcode = 'PR006',
            message = 'the log was created in another database cluster, or this cluster was restored to an earlier state',
            hint = 'Run: postrider rebase (or: select * from postrider.rebase()).';
    end if;
    perform set_config('postrider.claims', 'known', false);
end
$$;
