-- require_cluster(): refuses to go on in a cluster the cursors do not belong to.
-- Raises: PR006 when they were made in another cluster and not rebased since.
-- postrider: after is_home
create or replace function postrider.require_cluster() returns void
    language plpgsql security definer
    set search_path = pg_catalog, pg_temp
    as $$
begin
    if not postrider.is_home() then
        raise exception using errcode = 'PR006',
            message = 'this log was copied from another database cluster, where its cursors were made',
            hint = 'Run: postrider rebase (or: select * from postrider.rebase()).';
    end if;
    perform set_config('postrider.claims', 'known', false);
end
$$;
